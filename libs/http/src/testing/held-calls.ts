import { EventEmitter, once } from 'node:events';
import { Controller, Module, type Type } from '@nestjs/common';
import { defineRoute } from '../routing/define-route';
import { Route } from '../routing/route.decorators';

/** Calls of `POST /entities?action=hold`, which stay under way until the test releases them. */
export interface HeldCalls {
  readonly module: Type;
  /** Resolves when this number of calls has arrived since the start. */
  readonly arrived: (count: number) => Promise<void>;
  readonly letGo: () => void;
  /** How many have arrived. */
  readonly count: () => number;
}

export function heldCalls(): HeldCalls {
  let count = 0;
  const signals = new EventEmitter();
  const isOpen = once(signals, 'open');

  @Controller()
  class HoldingController {
    @Route(defineRoute({ path: 'entities', action: 'hold', app: 'query' }))
    async hold(): Promise<string> {
      count++;
      signals.emit('arrival');
      await isOpen;
      return 'held';
    }
  }
  @Module({ controllers: [HoldingController] })
  class HoldingModule {}

  return {
    module: HoldingModule,
    arrived: async (wanted) => {
      while (count < wanted) await once(signals, 'arrival');
    },
    letGo: () => {
      signals.emit('open');
    },
    count: () => count,
  };
}
