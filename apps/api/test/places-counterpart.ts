import { createServer, type IncomingMessage } from 'node:http';

/** Photon (/api), Nominatim (/search), OSRM (/osrm) and Valhalla (/valhalla/route). `/asked` lists the requests. */
const photon = {
  type: 'FeatureCollection',
  features: [
    {
      properties: {
        name: 'Berlin Olympic Stadium',
        street: 'Olympischer Platz',
        housenumber: '3',
        postcode: '14053',
        state: 'Berlin',
        country: 'Germany',
        countrycode: 'DE',
        osm_key: 'leisure',
        osm_value: 'stadium',
        osm_type: 'W',
        osm_id: 38862723,
        extent: [13.23727, 52.5157151, 13.241757, 52.5135972],
      },
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [13.239514674078611, 52.51467945] },
    },
  ],
};

const nominatim = [
  {
    place_id: 100149,
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0.',
    osm_type: 'node',
    osm_id: '107775',
    lat: '52.5487429714954',
    lon: '-1.81602098644987',
    category: 'place',
    type: 'house',
    importance: 0.001,
    name: '',
    display_name:
      '135, Pilkington Avenue, Wylde Green, City of Birmingham, West Midlands (county), B72 1LH, United Kingdom',
    address: {
      house_number: '135',
      road: 'Pilkington Avenue',
      village: 'Wylde Green',
      town: 'Sutton Coldfield',
      city: 'City of Birmingham',
      county: 'West Midlands (county)',
      postcode: 'B72 1LH',
      country: 'United Kingdom',
      country_code: 'gb',
    },
  },
];

const osrm = {
  code: 'Ok',
  routes: [
    { legs: [{ distance: 1886.8, duration: 720.4 }], distance: 1886.8, duration: 720.4, weight: 720.4 },
  ],
  waypoints: [],
};
const noRoute = { code: 'NoRoute', message: 'Impossible route between points' };
const valhalla = { trip: { status: 0, units: 'kilometers', summary: { length: 1.18, time: 974 }, legs: [] } };
const noPath = { error_code: 442, error: 'No path could be found for input', status_code: 400 };

const requests: { url: string; agent: string | undefined; body: string }[] = [];

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += String(piece);
  return body;
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://counterpart');
  const body = await bodyOf(request);
  const send = (status: number, content: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof content === 'string' ? content : JSON.stringify(content));
  };
  if (url.pathname === '/asked') return send(200, requests);
  requests.push({ url: url.pathname + url.search, agent: request.headers['user-agent'], body });
  const q = url.searchParams.get('q') ?? '';
  if (q.includes('slow')) return void setTimeout(() => send(200, photon), 20_000).unref();
  if (q.includes('500')) return send(500, 'Internal Server Error');
  if (q.includes('garbage')) return send(200, '<html><body>Sign in to the network</body></html>');
  if (q.includes('other')) return send(200, { features: [{ geometry: null }] });
  if (q.includes('429')) return send(429, { error: 'too many' }, { 'retry-after': '90' });
  if (q.includes('moved')) return send(302, '', { location: 'http://127.0.0.1:9/private' });
  if (q.includes('endless')) return send(200, JSON.stringify({ features: ['x'.repeat(2_000_000)] }));
  if (url.pathname === '/api') return send(200, q.includes('nowhere') ? { features: [] } : photon);
  if (url.pathname === '/search') return send(200, nominatim);
  const island = url.pathname.includes('1,1;') || body.includes('"lon":1}');
  if (url.pathname.startsWith('/osrm')) return send(island ? 400 : 200, island ? noRoute : osrm);
  if (url.pathname === '/valhalla/route') return send(island ? 400 : 200, island ? noPath : valhalla);
  send(404, 'Not found');
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
process.on('disconnect', () => process.exit());
