import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '@stratalog/harness';
import type { SendProposal } from '../catalog/catalog-client';
import type { Ledger, NewSend } from '../ledger/ledger';
import { PROSE_ASPECTS, STATUS_ASPECT, type SentAspect } from '../ledger/sent-value';

const ACTIONS = { 'hot aspect': 40, 'own aspect': 30, repeat: 10, 'several aspects': 12, 'new entity': 8 };
/** Urns that all writers write to. */
const HOT_URNS = 8;
/** Urns that one writer has for itself. */
const OWN_URNS = 4;
/** After a failure, before the next attempt. */
const KNOCK_MS = 10;
const OWN_ASPECTS = [...PROSE_ASPECTS, STATUS_ASPECT] as const;

export interface WriterDeps {
  readonly send: SendProposal;
  readonly ledger: Ledger;
  /** The share of asynchronous writes, from 0 to 1. */
  readonly asyncShare: number;
  /** Receives each new entity that was acknowledged synchronously. */
  readonly onNewEntity: (written: NewSend) => void;
}

/**
 * One client of the catalog that sends as fast as it gets answers. It writes new versions of shared and of
 * own aspects, repeats its last send, writes several aspects of one urn at once, and creates new entities.
 */
export class Writer {
  private entities = 0;
  private last: NewSend | undefined;

  constructor(
    private readonly index: number,
    private readonly random: SeededRandom,
    private readonly deps: WriterDeps,
  ) {}

  /** Runs until `signal` aborts; every send has its answer then. **Errors**: `Violation`. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const action = this.random.weighted(ACTIONS);
      const sends = this.sendsOf(action);
      const results = await Promise.all(sends.map((send) => this.deps.send(send)));
      sends.forEach((send, at) => {
        if (action === 'new entity' && !send.isAsync && results[at]?.kind === 'acknowledged') {
          this.deps.onNewEntity(send);
        }
      });
      if (results.some(({ kind }) => kind !== 'acknowledged')) await pause(KNOCK_MS);
    }
  }

  private sendsOf(action: keyof typeof ACTIONS): readonly NewSend[] {
    switch (action) {
      case 'hot aspect':
        return [
          this.newSend(
            datasetUrn(`hot.${this.random.integer(1, HOT_URNS)}`),
            this.random.pick(PROSE_ASPECTS),
            false,
          ),
        ];
      case 'own aspect':
        return [(this.last = this.newSend(this.ownUrn(), this.random.pick(OWN_ASPECTS), true))];
      case 'repeat':
        // A careful client repeats a failed send; after a success the repeat changes nothing.
        return [(this.last ??= this.newSend(this.ownUrn(), STATUS_ASPECT, true))];
      case 'several aspects':
        return this.toSeveral(this.ownUrn());
      case 'new entity':
        return this.toSeveral(datasetUrn(`new.${this.index}.${++this.entities}`));
    }
  }

  private toSeveral(urn: string): readonly NewSend[] {
    const first = this.random.integer(0, OWN_ASPECTS.length - 1);
    const count = this.random.integer(1, OWN_ASPECTS.length - 1);
    const doubled = [...OWN_ASPECTS, ...OWN_ASPECTS];
    return doubled.slice(first, first + count).map((aspectName) => this.newSend(urn, aspectName, true));
  }

  private newSend(urn: string, aspectName: SentAspect, inTurn: boolean): NewSend {
    const value = aspectName === STATUS_ASPECT ? this.random.integer(0, 1) : this.deps.ledger.nextNumber();
    return { urn, aspectName, inTurn, value, isAsync: this.random.chance(this.deps.asyncShare) };
  }

  private ownUrn(): string {
    return datasetUrn(`own.${this.index}.${this.random.integer(1, OWN_URNS)}`);
  }
}

export function datasetUrn(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:faults,${name},PROD)`;
}
