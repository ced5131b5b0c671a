// Which part of the picture is seen: a box in the picture's own units.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The whole picture in a frame of this size, never larger than life. */
export function fit(whole: Box, width: number, height: number): Box {
  const scale = Math.max(whole.width / Math.max(width, 1), whole.height / Math.max(height, 1), 1);
  const size = { width: width * scale, height: height * scale };
  return { x: (whole.width - size.width) / 2, y: (whole.height - size.height) / 2, ...size };
}

/** Nearer by `factor`, around a place of the frame (0..1 across and down); between a tenth and eight times the whole. */
export function zoom(view: Box, factor: number, whole: Box, at = { x: 0.5, y: 0.5 }): Box {
  const width = Math.min(Math.max(view.width / factor, whole.width / 10), whole.width * 8);
  const height = (view.height * width) / view.width;
  return { x: view.x + (view.width - width) * at.x, y: view.y + (view.height - height) * at.y, width, height };
}

/** Moved by a share of what is seen. */
export function pan(view: Box, right: number, down: number): Box {
  return { ...view, x: view.x + right * view.width, y: view.y + down * view.height };
}
