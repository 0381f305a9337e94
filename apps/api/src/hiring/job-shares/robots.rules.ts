const known =
  /bot|crawl|spider|slurp|preview|externalhit|whatsapp|telegram|slack|discord|embedly|monitor|lighthouse|headless|curl|wget|python|java\/|go-http|okhttp|axios|node-fetch|undici|libwww|httpclient/i;

/**
 * Whether a request is likely no person looking: it names itself as a robot or a tool, names no browser, or loads the page ahead of a visit. A robot
 * that pretends to be a browser counts as a view.
 */
export const isRobot = (headers: Record<string, unknown>): boolean => {
  const agent = headers['user-agent'];
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  return (
    typeof agent !== 'string' ||
    !agent.startsWith('Mozilla/') ||
    known.test(agent) ||
    (typeof purpose === 'string' && purpose.includes('prefetch'))
  );
};
