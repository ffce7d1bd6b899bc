import type { AuditedCall } from '@stratalog/ports';
import type { RecordCall } from './audit-calls';

/** Calls of one kind, and calls beyond the kinds of a window, get one record of their own in this time. */
const WINDOW_MS = 60_000;
/** So many kinds of calls are told apart in a window: its records are at most twice as many and one more. */
const MAX_KINDS = 50;

interface Kind {
  /** The last call without a record. */
  last: AuditedCall | undefined;
  /** The number of calls without a record. */
  left: number;
}

/**
 * Bounds the records of calls that anyone can repeat at will: rejected ones and reads. The first call of a kind
 * (caller, address, route and status) is recorded at once. Further ones are counted; the last of them is
 * recorded when the window ends, with the number of the others.
 */
export class RepeatedCalls {
  private readonly kinds = new Map<string, Kind>();
  private readonly others: Kind = { last: undefined, left: 0 };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly record: RecordCall,
    private readonly windowMs = WINDOW_MS,
  ) {}

  /** Resolves when the call is recorded, or at once when it is only counted. */
  async add(call: AuditedCall): Promise<void> {
    this.timer ??= setTimeout(() => void this.flush(), this.windowMs).unref();
    const name = JSON.stringify([call.actor, call.token, call.address, call.call, call.status]);
    const known = this.kinds.get(name);
    if (known === undefined && this.kinds.size < MAX_KINDS) {
      this.kinds.set(name, { last: undefined, left: 0 });
      await this.record(call);
      return;
    }
    const kind = known ?? this.others;
    kind.last = call;
    kind.left += 1;
  }

  /** Ends the window: records what was counted. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counted = [...this.kinds.values(), { ...this.others }];
    this.kinds.clear();
    Object.assign(this.others, { last: undefined, left: 0 });
    await Promise.all(
      counted.map(async ({ last, left }) => {
        if (last !== undefined) await this.record(left > 1 ? { ...last, omitted: left - 1 } : last);
      }),
    );
  }
}
