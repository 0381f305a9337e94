import { AppError } from '../../app-error.ts';

/**
 * Lets at most `most` calls be worked on at once (ADR 125). Beyond what a process can answer, more would make every call wait, until none is
 * answered in time.
 */
export function limitCalls(most: number) {
  let running = 0;
  const assertRoom = () => {
    if (running >= most) throw new AppError('request/unavailable');
  };
  return {
    isFull: () => running >= most,
    /**
     * For a call that just arrived: refuses it before its session is looked up, which may need the database.
     * @throws request/unavailable
     */
    assertRoom,
    /** @throws request/unavailable at once when there is no room */
    async within<Result>(work: () => Promise<Result>): Promise<Result> {
      assertRoom();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}

export type CallLimit = ReturnType<typeof limitCalls>;
