import type { Terminal } from '../terminal';

const LIVE_MS = 200;
const PLAIN_MS = 5000;
const CLEAR_LINE = '\r\u001b[K';

/** Shows how far something is on stderr: one line written over on a screen, a line every few seconds elsewhere. */
export class ProgressLine {
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly terminal: Terminal,
    text: () => string,
  ) {
    this.timer = setInterval(
      () => {
        terminal.stderr.write(terminal.live ? CLEAR_LINE + text() : `${text()}\n`);
      },
      terminal.live ? LIVE_MS : PLAIN_MS,
    );
  }

  /** Takes the line away. */
  stop(): void {
    clearInterval(this.timer);
    if (this.terminal.live) this.terminal.stderr.write(CLEAR_LINE);
  }
}
