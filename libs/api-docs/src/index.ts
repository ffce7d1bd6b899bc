export { API_ROUTES } from './api-routes';
export { pathText } from './pages/endpoint-names';
export { docsStage } from './docs.module';
