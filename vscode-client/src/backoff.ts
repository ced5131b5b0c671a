// How long to wait before a server that ended by itself is started again, and when to give up.

/** Milliseconds; one start for each, and then no more. */
export const WAITS = [200, 1_000, 4_000, 15_000, 60_000] as const;
/** A server that lived so long (milliseconds) was well: the next end counts as the first. */
export const WELL = 180_000;

export class Backoff {
  private ends = 0;
  private startedAt = 0;

  constructor(private readonly now: () => number = Date.now) {}

  started(): void {
    this.startedAt = this.now();
  }

  /** The server ended: milliseconds to wait, or undefined to give up. */
  next(): number | undefined {
    if (this.startedAt > 0 && this.now() - this.startedAt >= WELL) this.ends = 0;
    return WAITS[this.ends++];
  }

  /** A person asked for a restart. */
  reset(): void {
    this.ends = 0;
    this.startedAt = 0;
  }
}
