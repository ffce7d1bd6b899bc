import { Module, type DynamicModule } from '@nestjs/common';
import { IndexPositionWatch } from '@stratalog/indexing';
import type { Clock, SchemaStore, Stage } from '@stratalog/ports';
import { AspectsController, INGEST_PARTS } from './aspects.controller';
import type { DeletionParts } from './delete-entity';
import type { ReferenceParts } from './delete-references';
import { DELETION_PARTS, DeletionController } from './deletion.controller';
import { OutcomeWatch } from './outcome-watch';
import { RegisteredSchemas } from './registered-schemas';
import { REGISTERED_SCHEMAS, SchemaRegistryController } from './schema-registry.controller';

interface StageParts extends Omit<DeletionParts & ReferenceParts, 'outcomes' | 'graphWatch'> {
  readonly clock: Clock;
  /** The schemas of producers on Kafka; absent when they are kept by somebody else. */
  readonly schemas?: SchemaStore;
}

/** Mounts the writing routes, and those of the schema registry. */
@Module({})
export class IngestModule {
  static over({ schemas, ...given }: StageParts): DynamicModule {
    const parts = {
      ...given,
      outcomes: new OutcomeWatch(given.store),
      graphWatch: new IndexPositionWatch('relationship graph', given.graphIndexes),
    };
    const registry = schemas === undefined ? [] : [new RegisteredSchemas(schemas)];
    return {
      module: IngestModule,
      controllers: [AspectsController, DeletionController, ...registry.map(() => SchemaRegistryController)],
      providers: [
        { provide: INGEST_PARTS, useValue: parts },
        { provide: DELETION_PARTS, useValue: parts },
        ...registry.map((useValue) => ({ provide: REGISTERED_SCHEMAS, useValue })),
      ],
    };
  }
}

/** Takes proposals over HTTP and puts them into the log. */
export const ingestStage: Stage<StageParts, DynamicModule> = {
  name: 'ingest',
  open: (parts) => ({ module: IngestModule.over(parts), consumers: [] }),
};
