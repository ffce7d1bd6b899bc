export { queryStage } from './query.module';
