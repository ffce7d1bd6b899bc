import { formatPosition, maxOffsets, parsePosition, type Position } from '@stratalog/domain';
import { CommandFailure, EXIT } from '../exit-code';
import { BatchSender } from './batch-sender';
import type { SourceRecord } from '../input/read-records';
import { UnreadableInputError } from '../input/record-splitter';
import { RejectionTally, type Rejection } from './rejections';
import type { SendOutcome } from './send-write';
import { settleBatch, type SettledWrite } from './settle-batch';
import { readWrite, type SourceWrite, type WriteRequest } from '../connection/source-write';
import type { BatchBounds } from './take-batch';

export interface LoadOptions {
  /** Batches under way at the same time. */
  readonly concurrency: number;
  readonly bounds: BatchBounds;
  /** The number of writes of a split batch that are sent at the same time. */
  readonly singles: number;
  readonly send: (request: WriteRequest) => Promise<SendOutcome>;
  /** Stores a rejected record; the load continues when it resolves. */
  readonly keepRejected: (
    rejection: Rejection,
    record: { readonly text: string; readonly isJson: boolean },
  ) => Promise<void>;
  readonly interrupted: AbortSignal;
  /** Ends the input, which may be a silent pipe, when reading on is useless. */
  readonly endInput: () => void;
}

const CUT_OFF = 'the last line is no whole JSON object and has no line end: the file seems to be cut off';
const TOO_LARGE = 413;

/** The time for which a batch waits to become full where the input comes slowly; too short to notice. */
const LINGER_MS = 20;

/**
 * Sends the records of a file in batches, several at once, but those of one urn in the order of the file.
 *
 * The counts may be read while {@link run} is under way.
 */
export class Load {
  /** The number of records read from the file. */
  read = 0;
  /** The number of writes that the catalog accepted or rejected. */
  sent = 0;
  written = 0;
  readonly rejections = new RejectionTally();
  /** The reason why the load ended before the end of its input. */
  ended: CommandFailure | undefined;

  private readonly lanes: BatchSender<SettledWrite>;
  /** Indices of sent or waiting records without an answer; a set keeps the order of insertion. */
  private readonly unanswered = new Set<number>();
  private reached: Position | undefined;

  constructor(private readonly options: LoadOptions) {
    const { concurrency, bounds, singles, send } = options;
    this.lanes = new BatchSender({
      lanes: concurrency,
      bounds,
      lingerMs: LINGER_MS,
      run: (batch) => settleBatch(batch, { send, singles }),
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

  /**
   * Resolves at the end of the input, or earlier with the reason in {@link ended}; then no request is under
   * way.
   */
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
      // Records before the unreadable place are still sent.
      this.ended ??= toFailure(error, this.read);
      this.options.endInput();
    }
    await this.lanes.drain().catch((error: unknown) => {
      this.end(toFailure(error, this.read));
    });
    this.options.interrupted.removeEventListener('abort', stop);
  }

  private async take({ index, text, isCutOff }: SourceRecord): Promise<void> {
    this.read++;
    const reading = readWrite(text);
    if (reading.kind === 'rejected') {
      const { isJson } = reading;
      const reason = isCutOff && !isJson ? CUT_OFF : reading.reason;
      await this.reject({ index, entityUrn: null, aspectName: null, status: null, reason }, { text, isJson });
      return;
    }
    const { write } = reading;
    this.unanswered.add(index);
    // A substring of a large text keeps all of it in memory, a copy only itself.
    const source = { index, text: Buffer.from(text).toString() };
    const settle = (outcome: SendOutcome): Promise<void> => this.settle(source, write, outcome);
    // A record without a urn may concern any entity, so no other write may be under way.
    if (write.urn === '') await this.lanes.drain();
    await this.lanes.add({ write, settle });
    if (write.urn === '') await this.lanes.drain();
  }

  private async settle(
    { index, text }: { readonly index: number; readonly text: string },
    { urn, aspectName }: SourceWrite,
    outcome: SendOutcome,
  ): Promise<void> {
    if (outcome.kind === 'hopeless') this.end(outcome.failure);
    if (outcome.kind === 'hopeless' || outcome.kind === 'interrupted') return;
    this.unanswered.delete(index);
    this.sent++;
    if (outcome.kind === 'written') {
      this.written++;
      this.reach(outcome.position);
      return;
    }
    const { status } = outcome;
    const reason = status === TOO_LARGE ? tooLarge(text, outcome.reason) : outcome.reason;
    await this.reject({ index, entityUrn: urn, aspectName, status, reason }, { text, isJson: true });
  }

  private async reject(rejection: Rejection, record: { text: string; isJson: boolean }): Promise<void> {
    this.rejections.add(rejection);
    await this.options.keepRejected(rejection, record);
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
    this.lanes.stop();
    this.options.endInput();
  }

  private isEnded(): boolean {
    return this.ended !== undefined;
  }
}

function tooLarge(text: string, reason: string): string {
  return (
    `the record has ${Buffer.byteLength(text).toLocaleString('en-US')} bytes, more than the catalog takes in one request ` +
    `(its setting STRATALOG_MAX_BODY_BYTES, 16,777,216 bytes unless set): ${reason}`
  );
}

/**
 * An input that is unreadable from its first byte is a wrong file; one that breaks later has been loaded in
 * part.
 */
function toFailure(error: unknown, read: number): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof UnreadableInputError) {
    return read === 0
      ? new CommandFailure(`cannot read it: ${error.message}`, EXIT.usage)
      : new CommandFailure(`cannot read on: ${error.message}`, EXIT.rejected);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CommandFailure(message, EXIT.rejected);
}
