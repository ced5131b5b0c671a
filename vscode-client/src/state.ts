// What the extension is at, and how the status bar says it.

import type { Hello } from "./launch";

export type State =
  | { kind: "starting" }
  | { kind: "running"; hello?: Hello; command: string; passedOver?: string }
  | { kind: "waiting"; seconds: number }
  | { kind: "failed"; why: string }
  | { kind: "noPython"; tried: readonly string[] }
  | { kind: "off" };

export interface Shown {
  text: string;
  tooltip: string;
  level?: "warning" | "error";
}

/** @param findings in the file in front; undefined where none is */
export function shown(state: State, findings: number | undefined): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "$(sync~spin) secondpass", tooltip: "secondpass is starting" };
    case "waiting":
      return {
        text: "$(sync~spin) secondpass",
        tooltip: `The server ended by itself; it starts again in ${state.seconds} s`,
        level: "warning",
      };
    case "failed":
      return { text: "$(error) secondpass", tooltip: `secondpass does not run: ${state.why}`, level: "error" };
    case "noPython":
      return {
        text: "$(error) secondpass",
        tooltip: "secondpass found no Python 3.10 or newer; click to see what to do",
        level: "error",
      };
    case "off":
      return { text: "$(circle-slash) secondpass", tooltip: "secondpass is turned off in the settings" };
    case "running": {
      const about = state.hello
        ? `secondpass ${state.hello.version} (${state.hello.source === "own" ? "your project's own" : "carried by the extension"}) on Python ${state.hello.python} (${state.hello.executable})`
        : `secondpass from ${state.command}`;
      const fixes = state.hello?.fixes === "missing" ? "\nSome quick-fixes want libcst: one click in the menu gets it" : "";
      const passedOver = state.passedOver ? `\nNot used: ${state.passedOver}` : "";
      const mark = findings === undefined ? "secondpass" : findings ? `$(warning) secondpass ${findings}` : "$(check) secondpass";
      const told = findings === undefined ? "" : `\n${findings === 0 ? "No findings" : count(findings)} in this file`;
      return { text: mark, tooltip: about + told + passedOver + fixes };
    }
  }
}

export function count(findings: number): string {
  return findings === 1 ? "1 finding" : `${findings} findings`;
}
