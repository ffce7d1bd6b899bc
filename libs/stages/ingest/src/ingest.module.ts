import { Module, type DynamicModule } from '@nestjs/common';
import type { Clock, Stage } from '@stratalog/ports';
import { AspectsController, INGEST_PARTS } from './aspects.controller';
import type { IngestParts } from './ingest-proposal';

/** Mounts the writing routes. */
@Module({})
export class IngestModule {
  static over(parts: IngestParts & { readonly clock: Clock }): DynamicModule {
    return {
      module: IngestModule,
      controllers: [AspectsController],
      providers: [{ provide: INGEST_PARTS, useValue: parts }],
    };
  }
}

/** Takes proposals over HTTP and puts them into the log. */
export const ingestStage: Stage<IngestParts & { readonly clock: Clock }, DynamicModule> = {
  name: 'ingest',
  open: (parts) => ({ module: IngestModule.over(parts), consumers: [] }),
};
