export { API_CONTROLLERS } from './api-controllers';
export { endpointId, pathText } from './pages/endpoint-names';
export { docsStage } from './docs.module';
