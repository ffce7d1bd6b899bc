export { writerStage } from './writer.module';
