import { writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';

/** Samples where this process spends its time, for a part of its life. */
export class CpuProfile {
  private session: Session | undefined;

  async start(): Promise<void> {
    this.session = new Session();
    this.session.connect();
    await this.post('Profiler.enable');
    await this.post('Profiler.start');
  }

  /** Writes the samples, in the form that browsers' developer tools open. */
  async stop(file: string): Promise<void> {
    const { profile } = (await this.post('Profiler.stop')) as Profiler.StopReturnType;
    writeFileSync(file, JSON.stringify(profile));
    this.session?.disconnect();
    this.session = undefined;
  }

  private post(method: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.session?.post(method, (error, result) => {
        if (error === null) resolve(result);
        else reject(error);
      });
    });
  }
}
