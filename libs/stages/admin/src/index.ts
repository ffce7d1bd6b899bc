export { adminStage } from './admin.module';
export { IndexesController } from './indexes.controller';
