import { formatPosition, maxOffsets, parsePosition, type Position } from '@stratalog/model';
import { CommandFailure, EXIT } from '../exit-code';
import { OrderedPool } from './ordered-pool';
import type { SourceRecord } from '../input/read-records';
import { UnreadableInputError } from '../input/record-splitter';
import { RefusalTally, type Refusal } from './refusals';
import { requestOf, type WriteRequest } from './request-of';
import type { SendOutcome } from './send-write';

export interface LoadOptions {
  readonly concurrency: number;
  readonly send: (request: WriteRequest) => Promise<SendOutcome>;
  /** Keeps a refused record; the load goes on when it resolves. */
  readonly keepRefused: (
    refusal: Refusal,
    record: { readonly text: string; readonly isJson: boolean },
  ) => Promise<void>;
  readonly interrupted: AbortSignal;
  /** Ends the input, which may be a pipe that nobody writes to, when there is no use in reading on. */
  readonly endInput: () => void;
}

/** Writes that wait for a turn: enough to find `concurrency` different urns where a file lists entity by entity. */
const MAX_WAITING = 2000;
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;

/**
 * Sends the records of a file, many at once, but those of one urn in the order of the file.
 *
 * The counts may be read while {@link run} is under way.
 */
export class Load {
  /** Records that were taken from the file. */
  read = 0;
  /** Writes that the catalog answered, with a yes or a no. */
  sent = 0;
  written = 0;
  readonly refusals = new RefusalTally();
  /** Why the load ended before the end of its input. */
  ended: CommandFailure | undefined;

  private readonly pool: OrderedPool;
  /** Indices of sent or waiting records without an answer; a set keeps the order of insertion. */
  private readonly unanswered = new Set<number>();
  private reached: Position | undefined;

  constructor(private readonly options: LoadOptions) {
    this.pool = new OrderedPool({
      concurrency: options.concurrency,
      maxWaiting: MAX_WAITING,
      maxWaitingSize: MAX_WAITING_CHARACTERS,
    });
  }

  /** Token of the position that covers every write so far. */
  get position(): string | undefined {
    return this.reached === undefined ? undefined : formatPosition(this.reached);
  }

  /** Index of the first record that may not be in the catalog; every record before it was answered. */
  get firstUnanswered(): number | undefined {
    return [...this.unanswered.values()].at(0);
  }

  /** Resolves at the end of the input, or earlier with the reason in {@link ended}; then nothing is under way. */
  async run(records: AsyncIterable<SourceRecord>): Promise<void> {
    const stop = (): void => {
      this.end(new CommandFailure('interrupted', EXIT.interrupted));
    };
    this.options.interrupted.addEventListener('abort', stop, { once: true });
    try {
      for await (const record of records) {
        if (this.isEnded()) break;
        await this.take(record);
      }
    } catch (error) {
      this.end(failureOf(error));
    } finally {
      this.options.interrupted.removeEventListener('abort', stop);
    }
    await this.pool.drain().catch((error: unknown) => {
      this.end(failureOf(error));
    });
  }

  private async take({ index, text }: SourceRecord): Promise<void> {
    this.read++;
    const reading = requestOf(text);
    if (reading.kind === 'refused') {
      const { reason, isJson } = reading;
      await this.refuse({ index, entityUrn: null, aspectName: null, status: null, reason }, { text, isJson });
      return;
    }
    const { urn, aspectName, request } = reading;
    this.unanswered.add(index);
    await this.pool.add(urn, {
      size: request.body.length,
      run: async () => {
        const outcome = await this.options.send(request);
        if (outcome.kind === 'hopeless') this.end(outcome.failure);
        if (outcome.kind === 'hopeless' || outcome.kind === 'interrupted') return;
        this.unanswered.delete(index);
        this.sent++;
        if (outcome.kind === 'written') {
          this.written++;
          this.reach(outcome.position);
        } else {
          const { status, reason } = outcome;
          await this.refuse({ index, entityUrn: urn, aspectName, status, reason }, { text, isJson: true });
        }
      },
    });
  }

  private async refuse(refusal: Refusal, record: { text: string; isJson: boolean }): Promise<void> {
    this.refusals.add(refusal);
    await this.options.keepRefused(refusal, record);
  }

  private reach(token: string | undefined): void {
    const position = token === undefined ? undefined : parsePosition(token);
    if (position === undefined) return;
    const sameStore = this.reached?.storeId === position.storeId && this.reached.epoch === position.epoch;
    this.reached =
      this.reached !== undefined && sameStore
        ? { ...position, seqs: maxOffsets(this.reached.seqs, position.seqs) }
        : position;
  }

  /** The first reason counts; the others follow from it. */
  private end(reason: CommandFailure): void {
    this.ended ??= reason;
    this.pool.stop();
    this.options.endInput();
  }

  private isEnded(): boolean {
    return this.ended !== undefined;
  }
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof UnreadableInputError) {
    return new CommandFailure(`cannot read on: ${error.message}`, EXIT.refused);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CommandFailure(message, EXIT.refused);
}
