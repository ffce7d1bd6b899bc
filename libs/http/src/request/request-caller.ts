import { CancelledError } from '@stratalog/model';
import type { Caller } from '@stratalog/ports';
import type { WireReply } from './wire';

/**
 * Whoever sent a request. A request that writes goes on when its client has gone: it is better done than half done. The signal is made
 * when it is first asked for, because most requests are answered sooner than they need it.
 */
export class RequestCaller implements Caller {
  private leaving: AbortController | undefined;

  constructor(
    private readonly reply: Pick<WireReply, 'raw'>,
    readonly timeLimitMs: number,
    readonly writes: boolean,
  ) {}

  get gone(): AbortSignal {
    return (this.leaving ??= this.watch()).signal;
  }

  private watch(): AbortController {
    const leaving = new AbortController();
    if (this.writes) return leaving;
    const { raw } = this.reply;
    const leave = (): void => {
      // An answer that is out closes too.
      if (!raw.writableFinished) leaving.abort(new CancelledError('The client went away'));
    };
    if (raw.destroyed) leave();
    else raw.once('close', leave);
    return leaving;
  }
}
