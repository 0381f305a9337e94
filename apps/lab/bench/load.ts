import type pg from 'pg';

/**
 * Loads jobs in 400 towns of realistic sizes (the largest holds about 4 %), and
 * a few in hamlets, on the date line and around a pole. Deterministic by seed.
 */
export async function loadJobs(client: pg.Client, jobs: number, say: (line: string) => void): Promise<void> {
  const businesses = Math.max(50, Math.round(jobs / 20));
  say(`loading ${businesses} businesses and ${jobs} jobs`);
  await client.query('select setseed(0.42)');
  await client.query(`create table bench_towns as
    select n as town, name_lat as lat, name_lng as lng, km, 1.0 / (n + 4) as weight from (
      select n, -45 + 108 * random() as name_lat, -180 + 360 * random() as name_lng, 2 + 6 * random() as km
      from generate_series(1, 396) n
      union all values (397, -16.8, 179.98, 4.0), (398, -16.9, -179.97, 4.0), (399, 78.22, 15.65, 2.0), (400, 89.95, 40.0, 3.0)) towns`);
  await client.query(`create table bench_shares as
    select town, lat, lng, km, sum(weight) over (order by town) / sum(weight) over () as upto,
      (sum(weight) over (order by town) - weight) / sum(weight) over () as after from bench_towns`);
  await client.query(
    `insert into accounts (id, name, email, email_verified)
     select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Worker ' || n, 'bench' || n || '@example.test', true
     from generate_series(0, 999) n`,
  );
  await client.query(
    `insert into businesses (id, status, name, legal_name, category, address, area, country_code, lat, lng, time_zone, currency, created_at, updated_at)
     select ('10000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, case when n % 10 = 0 then 'draft' else 'verified' end,
       (array['Café', 'Bistro', 'Depot', 'Studio', 'Hotel', 'Garage', 'Market', 'Clinic'])[1 + n % 8] || ' ' || n, 'Bench ' || n,
       'hospitality', 'Main Street ' || n, 'Old Town', 'NL', 0, 0, 'Europe/Amsterdam', 'EUR', now() - interval '1 year', now()
     from generate_series(0, $1::int - 1) n`,
    [businesses],
  );
  // An owner whom each application notifies. All-day quiet hours keep mails out of the measurement.
  await client.query(
    `with owners as (
      insert into accounts (id, name, email, email_verified)
      select ('30000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Owner ' || n, 'owner' || n || '@example.test', true
      from generate_series(0, $1::int - 1) n returning id
    ), quiet as (
      insert into notification_settings (account_id, quiet_on, quiet_from, quiet_to, time_zone)
      select id, true, '00:00', '23:59', 'UTC' from owners
    )
     insert into business_members (business_id, account_id, role, created_at)
     select ('10000000' || substr(id::text, 9))::uuid, id, 'owner', now() - interval '1 year' from owners`,
    [businesses],
  );
  // Building an index is faster than growing it.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'jobs' and indexname <> 'jobs_pkey'`,
  );
  for (const index of indexes) await client.query(`drop index ${index.name}`);
  const step = 100_000;
  for (let from = 0; from < jobs; from += step) {
    await client.query(insertJobs, [from, Math.min(from + step, jobs) - 1, businesses]);
    say(`  ${Math.min(from + step, jobs)} of ${jobs}`);
  }
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const index of indexes) {
    say(`  ${index.name}`);
    await client.query(index.definition);
  }
  say('words');
  await client.query(`insert into search_words (word, jobs)
    select word, ndoc from ts_stat('select words from jobs where status = ''open''')
    where length(word) between 4 and 30 and word ~ '^[[:alpha:]]+$'`);
  say('vacuum analyze');
  await client.query('vacuum analyze');
}

const titles = [
  'Barista',
  'Waiter',
  'Cook',
  'Host',
  'Kitchen porter',
  'Cashier',
  'Shop assistant',
  'Stock filler',
  'Order picker',
  'Packer',
  'Forklift driver',
  'Bike courier',
  'Van driver',
  'Mover',
  'Event crew',
  'Steward',
  'Home cleaner',
  'Office cleaner',
  'Window cleaner',
  'Carpenter',
  'Electrician',
  'Plumber',
  'Painter',
  'Labourer',
  'Gardener',
  'Childcare',
  'Nurse',
  'Tutor',
  'Reception',
  'Data entry',
  'Photographer',
  'Hairdresser',
  'Guard',
];
const extras = [
  'for the weekend',
  'in the morning',
  'at night',
  'for a festival',
  'at the harbour',
  'in the old town',
  'this week',
  'for a wedding',
  'on call',
  'near the station',
];
const categories = [
  'hospitality',
  'retail',
  'logistics',
  'delivery',
  'events',
  'cleaning',
  'trades',
  'construction',
  'gardening',
  'care',
  'education',
  'office',
  'technology',
  'creative',
  'beauty',
  'security',
];
const list = (words: readonly string[]) => `array['${words.join("','")}']`;

/** One job in a thousand contains `falconer`, and one in a thousand pays above 90 an hour. */
const insertJobs = `
  insert into jobs (id, business_id, business_name, kind, status, title, category, description, requirements, skills, pay_minor, pay_unit, currency,
    pay_hour_minor, head_count, starts_at, ends_at, break_minutes, time_zone, address, area, lat, lng, public_lat, public_lng,
    business_fee_basis_points, worker_fee_basis_points, published_at, expires_at, created_at, updated_at)
  select made.id, business.id, business.name, kind, made.status, title, made.category, made.description, '{"Friendly","On time"}', '{}', pay, case kind when 'task' then 'fixed' else 'hour' end,
    'EUR', case kind when 'shift' then pay end, 1 + (r3 * 5)::int, case kind when 'shift' then starts end, case kind when 'shift' then starts + interval '6 hours' end, 30,
    'Europe/Amsterdam', 'Street ' || (n % 900), 'Quarter ' || (n % 40), made.lat, made.lng, made.lat, made.lng, 1000, 0, published, published + interval '30 days', published, published
  from (
    select n, ('20000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
      case when r1 < 0.9 then 'shift' else 'task' end as kind,
      case when r2 < 0.9 then 'open' when r2 < 0.95 then 'closed' else 'expired' end as status,
      (${list(titles)})[1 + floor(power(r3, 1.5) * ${titles.length})::int] || ' ' || (${list(extras)})[1 + floor(r4 * ${extras.length})::int]
        || case when r5 < 0.001 then ' and falconer' else '' end as title,
      (${list(categories)})[1 + floor(power(r6, 1.5) * ${categories.length})::int] as category,
      'We look for somebody who likes people and keeps calm when it is busy. You work in a small team, number ' || n || ', and we show you everything on the first day. '
        || (${list(extras)})[1 + floor(r5 * ${extras.length})::int] || '. Bring shoes you can stand in; lunch and coffee are on us.' as description,
      case when r7 < 0.001 then 9000 + (r8 * 1000)::int else 1100 + (r8 * r8 * 3000)::int end as pay,
      date_trunc('minute', now() + interval '1 day' + r9 * interval '60 days') as starts,
      date_trunc('milliseconds', now() - r10 * interval '20 days') as published, r3,
      greatest(-90, least(90, town.lat + far * cos(angle) / 111.2)) as lat,
      ((town.lng + far * sin(angle) / (111.2 * cos(radians(town.lat))))::numeric % 360 + 540) % 360 - 180 as lng
    from (
      select n, random() r1, random() r2, random() r3, random() r4, random() r5, random() r6, random() r7, random() r8, random() r9, random() r10, random() pick,
        random() * 2 * pi() as angle, -ln(1 - random()) as reach, random() as scatter
      from generate_series($1::int, $2::int) n) dice
    join bench_shares shares on pick >= shares.after and pick < shares.upto
    cross join lateral (select shares.lat, shares.lng, case when scatter < 0.03 then reach * 120 else reach * shares.km end as far) town
  ) made
  join businesses business on business.id = ('10000000-0000-7000-8000-' || lpad(to_hex(made.n % $3::int), 12, '0'))::uuid`;
