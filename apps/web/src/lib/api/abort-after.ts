/** A timeout or the caller's signal. The oldest supported browsers lack `AbortSignal.timeout` and `.any`. */
export function giveUpAfter(
  ms: number,
  also?: AbortSignal | null,
): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('No answer in time', 'TimeoutError')), ms);
  const cancel = () => controller.abort(also?.reason);
  if (also?.aborted) cancel();
  also?.addEventListener('abort', cancel);
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      also?.removeEventListener('abort', cancel);
    },
  };
}
