// The settings as the server is to see them.

/**
 * What VS Code answers for `secondpass`, without what nobody set: an empty list here would hide the project's own.
 * @param python what runs a script for validation where the setting says nothing
 */
export function forServer(value: unknown, python: string | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, one]) => !isEmpty(one));
  const settings: Record<string, unknown> = Object.fromEntries(kept);
  if (settings["python"] === undefined && python) settings["python"] = python;
  return settings;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
