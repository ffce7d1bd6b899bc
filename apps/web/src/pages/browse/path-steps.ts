/** The steps of the address; a step may have slashes. */
export function readSteps(splat: string | undefined): readonly string[] {
  return (splat ?? '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => step.replace(/%2F/gi, '/').replace(/%25/g, '%'));
}

export function writeSteps(steps: readonly string[]): string {
  return steps.map((step) => step.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}
