/** Runs `work` when no other living process holds the lock folder; tells the pid of the holder when it has to wait. */
export declare function onlyOne<T>(
  lockDir: string,
  onWait: (pid: number) => void,
  work: () => T | Promise<T>,
): Promise<T>;

/** On Linux a word that no later process with this pid repeats until the next boot; elsewhere only whether it is there. */
export declare function startOf(pid: number): string | undefined;
