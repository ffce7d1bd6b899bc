import type { Writer } from './writer';

/** All writers of a run: they never pause by themselves, whatever is killed. */
export class Load {
  private running: Promise<unknown> = Promise.resolve();
  private stopping = new AbortController();

  constructor(
    private readonly writers: readonly Writer[],
    /** Receives the `Violation` of a writer. */
    private readonly onViolation: (error: unknown) => void,
  ) {}

  /** Starts the writers, or resumes them after `stop`. */
  start(): void {
    const { signal } = (this.stopping = new AbortController());
    this.running = Promise.all(
      this.writers.map((writer) =>
        writer.run(signal).catch((error: unknown) => {
          this.onViolation(error);
        }),
      ),
    );
  }

  /** Stops the writers, each after its outstanding answer. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }
}
