import type { Terminal } from '../terminal';

const LIVE_MS = 200;
const PLAIN_MS = 5000;
const CLEAR_LINE = '\r\u001b[K';

/** Shows progress on stderr: one line that is overwritten on a screen, a line every few seconds elsewhere. */
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

  /** Removes the line. */
  stop(): void {
    clearInterval(this.timer);
    if (this.terminal.live) this.terminal.stderr.write(CLEAR_LINE);
  }
}
