// Runs in the webview: zoom and pan by wheel, drag, keys and buttons; a click on a node or link jumps to its line.

import { fit, pan, zoom, type Box } from "./view";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; getState(): unknown; setState(state: unknown): void };

const editor = acquireVsCodeApi();
const frame = document.querySelector<HTMLElement>(".picture");
const picture = frame?.querySelector("svg");

if (frame && picture) {
  const whole: Box = { x: 0, y: 0, width: picture.viewBox.baseVal.width, height: picture.viewBox.baseVal.height };
  /** As high as the picture needs at this width, within the window. */
  const size = () => {
    const needed = Math.min(whole.height, (frame.clientWidth * whole.height) / whole.width);
    frame.style.height = `${Math.ceil(Math.min(Math.max(needed, 160), window.innerHeight * 0.7)) + 2}px`;
  };
  size();
  window.addEventListener("resize", size);
  /** Where the person was, if it was in a picture of this size. */
  const kept = editor.getState() as { view: Box; whole: Box } | undefined;
  const same = kept?.whole.width === whole.width && kept.whole.height === whole.height;
  let view = same ? kept.view : fit(whole, frame.clientWidth, frame.clientHeight);

  const show = (next: Box) => {
    view = next;
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    editor.setState({ view, whole });
  };
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  show(view);

  const commands: Record<string, () => void> = {
    in: () => show(zoom(view, 1.25, whole)),
    out: () => show(zoom(view, 0.8, whole)),
    fit: () => show(fit(whole, frame.clientWidth, frame.clientHeight)),
  };
  for (const button of document.querySelectorAll<HTMLElement>("[data-zoom]")) {
    button.addEventListener("click", () => commands[button.dataset["zoom"] ?? ""]?.());
  }
  const keys: Record<string, () => void> = {
    "+": () => commands["in"]?.(),
    "=": () => commands["in"]?.(),
    "-": () => commands["out"]?.(),
    "0": () => commands["fit"]?.(),
    ArrowLeft: () => show(pan(view, -0.1, 0)),
    ArrowRight: () => show(pan(view, 0.1, 0)),
    ArrowUp: () => show(pan(view, 0, -0.1)),
    ArrowDown: () => show(pan(view, 0, 0.1)),
  };
  document.addEventListener("keydown", (event) => {
    const inside = !document.querySelector("main")?.contains(event.target as Node) || frame.contains(event.target as Node);
    if (event.ctrlKey || event.metaKey || event.altKey || !inside) return;
    const act = keys[event.key];
    if (act) {
      act();
      event.preventDefault();
    }
  });

  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      const at = frame.getBoundingClientRect();
      const place = { x: (event.clientX - at.left) / at.width, y: (event.clientY - at.top) / at.height };
      show(zoom(view, event.deltaY < 0 ? 1.15 : 1 / 1.15, whole, place));
    },
    { passive: false },
  );

  let held: { x: number; y: number; moved: boolean } | undefined;
  frame.addEventListener("pointerdown", (event) => (held = { x: event.clientX, y: event.clientY, moved: false }));
  frame.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [right, down] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(right, down) < 4) return;
    frame.setPointerCapture(event.pointerId);
    frame.classList.add("held");
    show(pan(view, -right / frame.clientWidth, -down / frame.clientHeight));
    held = { x: event.clientX, y: event.clientY, moved: true };
  });
  frame.addEventListener("pointerup", () => frame.classList.remove("held"));
  // a drag that ends on a node is no click on it
  frame.addEventListener(
    "click",
    (event) => {
      if (held?.moved) event.stopPropagation(), event.preventDefault();
      held = undefined;
    },
    { capture: true },
  );
}

document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a");
  if (!link) return;
  event.preventDefault();
  const node = link.closest("svg") ? link : nodeOf(link);
  const { path, line, column, cell } = (node as HTMLElement | undefined)?.dataset ?? {};
  if (path === undefined) return;
  editor.postMessage({ path, line: Number(line), column: Number(column), ...(cell === undefined ? {} : { cell: Number(cell) }) });
});

/** The node of the picture that a link of the list speaks of. */
function nodeOf(link: Element): Element | undefined {
  const text = link.closest("li")?.querySelector("code")?.textContent ?? "";
  const nodes = [...document.querySelectorAll("svg a")].filter((node) => node.getAttribute("href") === link.getAttribute("href"));
  return nodes.find((node) => node.getAttribute("aria-label")?.startsWith(`${text},`)) ?? nodes[0];
}
