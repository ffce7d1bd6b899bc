import { OrderedPool } from './ordered-pool';
import type { SendOutcome } from './send-write';
import { requestFor, type SourceWrite, type WriteRequest } from '../connection/source-write';

/** A write, with the callback for its outcome. */
export interface SettledWrite {
  readonly write: SourceWrite;
  readonly settle: (outcome: SendOutcome) => Promise<void>;
}

export interface SettleOptions {
  readonly send: (request: WriteRequest) => Promise<SendOutcome>;
  /** The number of writes of a split batch that are sent at the same time. */
  readonly singles: number;
}

/**
 * The limit for splitting a batch at the place that its rejection names. A few bad records in many cost a few
 * requests; where most are bad, each split would send nearly everything again.
 */
const MAX_CUTS = 3;

/**
 * Sends a batch and settles every write of it.
 *
 * The catalog accepts a batch whole or not at all, so a rejection concerns one of its writes only. That write
 * is sent alone, between the writes before it and those after it, which are batches again. When the rejection
 * names no write, or after a few splits, every write is sent alone. So each write gets its own answer, in the
 * same state as in a file sent one by one.
 *
 * **Order and repeats**: writes of one urn are settled in order. Sending a snapshot again that a rejected
 * request had written already changes nothing.
 */
export async function settleBatch(batch: readonly SettledWrite[], options: SettleOptions): Promise<void> {
  await settlePart(batch, options, MAX_CUTS);
}

/** False when sending the rest is useless. */
async function settlePart(
  part: readonly SettledWrite[],
  options: SettleOptions,
  cutsLeft: number,
): Promise<boolean> {
  const [first, ...others] = part;
  if (first === undefined) return true;
  const outcome = await options.send(requestFor([first.write, ...others.map(({ write }) => write)]));
  if (outcome.kind !== 'rejected' || others.length === 0) {
    for (const { settle } of part) await settle(outcome);
    return goesOn(outcome);
  }
  const at = cutsLeft > 0 ? placeIn(outcome.reason, part.length) : undefined;
  if (at === undefined) return settleAlone(part, options);
  for (const piece of [part.slice(0, at), part.slice(at, at + 1), part.slice(at + 1)]) {
    if (!(await settlePart(piece, options, cutsLeft - 1))) return false;
  }
  return true;
}

/** Sends each by itself, those of different urns at the same time. */
async function settleAlone(
  part: readonly SettledWrite[],
  { send, singles }: SettleOptions,
): Promise<boolean> {
  const pool = new OrderedPool(singles);
  let isGoingOn = true;
  for (const { write, settle } of part) {
    pool.add(write.urn, async () => {
      const outcome = await send(requestFor([write]));
      await settle(outcome);
      if (goesOn(outcome)) return;
      isGoingOn = false;
      pool.stop();
    });
  }
  await pool.drain();
  return isGoingOn;
}

function goesOn({ kind }: SendOutcome): boolean {
  return kind === 'written' || kind === 'rejected';
}

/**
 * Reads the place that a rejection of a batch names: `/proposals/3 :: …`, or the path of a parameter in it.
 */
function placeIn(reason: string, length: number): number | undefined {
  const digits = /\b(?:proposals|entities|systemMetadata)\/(\d{1,6})\b/.exec(reason)?.[1];
  const at = digits === undefined ? length : Number(digits);
  return at < length ? at : undefined;
}
