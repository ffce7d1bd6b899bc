import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '@stratalog/json';
import type { SentValues } from './check-changes';
import { faultInHistory, type StoredVersion } from './check-history';
import { aspectKey, type Ledger } from '../ledger/ledger';
import { numberOfValue, sentValue, type SentAspect } from '../ledger/sent-value';
import type { ChangeRow } from './stored-changes';
import { Violation } from '../ledger/violation';

/** Compares each aspect's history with the sends in the ledger. */
export class LedgerValues implements SentValues {
  private readonly histories = new Map<string, StoredVersion[]>();

  constructor(private readonly ledger: Ledger) {}

  add({ partition, seq, urn, aspect, value }: ChangeRow, where: string): void {
    const sends = this.ledger.get(urn, aspect);
    if (sends === undefined) throw new Violation('history', `${where} was not sent`);
    const key = aspectKey(urn, aspect);
    const history = this.histories.get(key) ?? [];
    this.histories.set(key, history);
    const number = numberOfValue(aspect, value);
    history.push({ partition, seq, value: number });
    if (number === undefined || !isValue(sends.aspectName, number, value)) {
      throw new Violation(
        'values',
        `${where} holds another value than any that was sent: ${value.slice(0, 300)}`,
      );
    }
  }

  finish(): void {
    for (const aspect of this.ledger.aspects()) {
      const history = this.histories.get(aspectKey(aspect.urn, aspect.aspectName)) ?? [];
      const fault = faultInHistory(aspect, history);
      if (fault !== undefined) throw new Violation('history', `${aspect.urn} ${aspect.aspectName}: ${fault}`);
    }
  }
}

function isValue(aspect: SentAspect, number: number, text: string): boolean {
  return isDeepStrictEqual(parseJson(text), sentValue(aspect, number));
}
