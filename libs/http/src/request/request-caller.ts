import { CancelledError } from '@stratalog/domain';
import type { Caller } from '@stratalog/concurrency';
import { forwarderLeft } from './forward-call';
import type { WireReply } from './wire';

/**
 * The caller of a use case, backed by an HTTP request. A write continues when its client disconnects, because
 * a half-done write is worse than a finished one. The abort signal is created on first use, because most
 * requests are answered before they need it.
 */
export class RequestCaller implements Caller {
  private leaving: AbortController | undefined;

  constructor(
    private readonly reply: Pick<WireReply, 'raw'>,
    readonly timeLimitMs: number,
    readonly writes: boolean,
  ) {}

  get disconnected(): AbortSignal {
    return (this.leaving ??= this.watch()).signal;
  }

  private watch(): AbortController {
    const leaving = new AbortController();
    if (this.writes) return leaving;
    const { raw } = this.reply;
    const leave = (): void => {
      // The `close` event also fires after an answer that was sent completely.
      if (!raw.writableFinished) leaving.abort(new CancelledError('The client went away'));
    };
    if (raw.destroyed) leave();
    else raw.once('close', leave);
    const left = forwarderLeft();
    if (left?.aborted === true) leave();
    else left?.addEventListener('abort', leave, { once: true });
    return leaving;
  }
}
