export { preparePythonEnvironments, type PythonEnvironment } from './python-environments';
