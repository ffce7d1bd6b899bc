import { InvalidProposalError, UnavailableError, type ProposalEntry, type UrnOfKey } from '@stratalog/domain';
import type { JsonObject, Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { LogContent, SchemaRegistry } from '@stratalog/ports';
import type { KafkaMessage } from 'kafkajs';
import { AvroReader, isAvroRecord } from '../avro/avro-records';
import { whyUnreadable } from '../decompression/fetch-answers';
import { ACTOR_HEADER, CHECKED_HEADER, proposalIn, proposalOfMembers, undecodable } from './proposal-record';

export interface ProposalReaderOptions {
  readonly unknownActor: string;
  readonly urnOfKey?: UrnOfKey;
  readonly registry?: SchemaRegistry;
}

/** Returns the members of an Avro record whose schema is known. */
type ReadMembers = () => JsonObject;

/** Decodes proposals from the messages of a topic, in any encoding. */
export class ProposalReader {
  private readonly avro: AvroReader;

  constructor(private readonly options: ProposalReaderOptions) {
    this.avro = new AvroReader(options.registry);
  }

  /**
   * Fetches the schemas that the messages name, then decodes the messages in slices. A message that is not a proposal
   * is returned as bytes with the reason.
   *
   * **Errors**: `UnavailableError` when the schema registry is unavailable.
   */
  async read(messages: readonly KafkaMessage[]): Promise<readonly LogContent<ProposalEntry>[]> {
    const opened = await Promise.all(messages.map((message) => this.open(message)));
    return inSlices(this.readContents(messages, opened));
  }

  /** Returns `undefined` for a message that is not Avro. */
  private async open(message: KafkaMessage): Promise<ReadMembers | undefined> {
    const { value: bytes } = message;
    if (bytes === null || whyUnreadable(message) !== undefined || !isAvroRecord(bytes)) return undefined;
    try {
      return await this.avro.open(bytes);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      const cause = error instanceof Error ? error : new Error(String(error));
      return () => {
        throw cause;
      };
    }
  }

  private *readContents(
    messages: readonly KafkaMessage[],
    opened: readonly (ReadMembers | undefined)[],
  ): Steps<readonly LogContent<ProposalEntry>[]> {
    const contents: LogContent<ProposalEntry>[] = [];
    for (const [at, message] of messages.entries()) {
      contents.push(yield* this.toContent(message, opened[at]));
      yield;
    }
    return contents;
  }

  private *toContent(
    message: KafkaMessage,
    readMembers: ReadMembers | undefined,
  ): Steps<LogContent<ProposalEntry>> {
    const { value, headers, timestamp } = message;
    const { unknownActor, urnOfKey } = this.options;
    const origin = { unknownActor, urnOfKey, loggedMs: Number(timestamp) };
    if (value === null) return undecodable(new Uint8Array(), 'it has no value');
    const unreadable = whyUnreadable(message);
    if (unreadable !== undefined) return undecodable(value, new InvalidProposalError(unreadable));
    if (readMembers === undefined) {
      return yield* proposalIn(value, {
        ...origin,
        actor: headers?.[ACTOR_HEADER]?.toString(),
        checkedBy: headers?.[CHECKED_HEADER]?.toString(),
      });
    }
    try {
      return { kind: 'decoded', value: proposalOfMembers(readMembers(), origin) };
    } catch (error) {
      return undecodable(value, error);
    }
  }
}
