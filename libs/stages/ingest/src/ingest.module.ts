import { Module, type DynamicModule } from '@nestjs/common';
import type { Clock, Stage } from '@stratalog/ports';
import { AspectsController, INGEST_PARTS } from './aspects.controller';
import type { IngestParts } from './ingest-proposal';
import { OutcomeWatch } from './outcome-watch';

type StageParts = Omit<IngestParts, 'outcomes'> & { readonly clock: Clock };

/** Mounts the writing routes. */
@Module({})
export class IngestModule {
  static over(given: StageParts): DynamicModule {
    const parts = { ...given, outcomes: new OutcomeWatch(given.store) };
    return {
      module: IngestModule,
      controllers: [AspectsController],
      providers: [{ provide: INGEST_PARTS, useValue: parts }],
    };
  }
}

/** Takes proposals over HTTP and puts them into the log. */
export const ingestStage: Stage<StageParts, DynamicModule> = {
  name: 'ingest',
  open: (parts) => ({ module: IngestModule.over(parts), consumers: [] }),
};
