import { Module, type DynamicModule } from '@nestjs/common';
import type { Stage } from '@stratalog/ports';
import type { AdminParts } from './describe-index';
import { ADMIN_PARTS, IndexesController } from './indexes.controller';

/** Mounts the routes of operators. */
@Module({})
export class AdminModule {
  static over(parts: AdminParts): DynamicModule {
    return {
      module: AdminModule,
      controllers: [IndexesController],
      providers: [{ provide: ADMIN_PARTS, useValue: parts }],
    };
  }
}

/** The operators' place. */
export const adminStage: Stage<AdminParts, DynamicModule> = {
  name: 'admin',
  open: (parts) => ({ module: AdminModule.over(parts), consumers: [] }),
};
