export { writerStage } from './writer-stage';
