import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../log.ts';
import { type Emitted, packSignals, signalsChannel } from './publish.ts';
import { type Bus, type BusListener, backoff, readPack, resyncEveryone } from './realtime-bus.ts';

const silentMs = 3_000;
const askEveryMs = 2_000;
/** Publishes in flight; further ones are dropped, and a resync makes up for them. */
const maxPending = 1_000;

const options: RedisOptions = {
  // No queue while Redis is down: one resync covers missed signals.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: silentMs,
  connectTimeout: silentMs,
  retryStrategy: (times) => backoff(times - 1),
  // Subscribed manually, to know when it is active.
  autoResubscribe: false,
  protocol: 2,
  lazyConnect: true,
};

/** Redis channels ignore databases, so the name includes the URL's database number. */
const channelOf = (url: string) => `${signalsChannel}:${new URL(url).pathname.replace('/', '') || '0'}`;

/** Sent after commit (ADR 89): a process killed in between sends none, and refetching shows the change. */
export function createRedisBus(url: string, log: Log): Bus {
  const channel = channelOf(url);
  let listener: BusListener | null = null;
  let stopped = false;
  let subscribed = false;
  let missed = false;
  let warned = false;
  let pending = 0;
  const hearing = new Redis(url, { ...options, connectionName: 'nearhand-hearing' });
  const publisher = new Redis(url, { ...options, connectionName: 'nearhand-telling' });

  for (const redis of [hearing, publisher]) {
    // Without a listener every failed attempt would be logged.
    redis.on('error', (error: Error) => log.debug({ err: error }, 'signals: Redis'));
  }
  hearing.on('message', (_channel: string, text: string) => listener?.deliver(readPack(text)));
  hearing.on('ready', async () => {
    try {
      await hearing.subscribe(channel);
      subscribed = true;
      warned = false;
      listener?.regained();
    } catch (error) {
      log.warn({ err: error }, 'signals: Redis refused the subscription');
      if (!stopped) hearing.disconnect(true);
    }
  });
  hearing.on('close', () => {
    if (!warned && !stopped)
      log.warn('signals: no connection to Redis; signals of other processes are missing until it is back');
    warned = true;
    subscribed = false;
  });
  publisher.on('ready', () => {
    if (missed) resyncOthers();
  });

  function publish(signals: readonly Emitted[]): void {
    for (const pack of packSignals(signals)) {
      if (publisher.status !== 'ready' || pending >= maxPending) {
        onLost(pack);
        continue;
      }
      pending += 1;
      publisher.publish(channel, pack).then(
        () => {
          pending -= 1;
        },
        () => {
          pending -= 1;
          onLost(pack);
        },
      );
    }
  }

  /** Resyncs other processes; this one's sockets have already received the signals (`lost`). */
  function resyncOthers(): void {
    missed = false;
    for (const pack of packSignals(resyncEveryone))
      publisher.publish(channel, pack).catch(() => {
        missed = true;
      });
  }

  /** Delivers an unpublished signal locally; others resync once Redis is back. */
  function onLost(pack: string): void {
    missed = true;
    listener?.deliver(readPack(pack));
  }

  const replaceUnresponsive = createReplacing([hearing, publisher], () => stopped);
  const pulse = setInterval(() => {
    if (missed && publisher.status === 'ready' && pending === 0) resyncOthers();
    replaceUnresponsive();
  }, askEveryMs);
  pulse.unref();

  // Connects at once, since the demo seed and tasks emit before anyone listens.
  publisher.connect().catch(() => {});

  return {
    signals: { afterCommit: publish },
    send(signals) {
      if (publisher.status === 'ready' && pending < maxPending)
        for (const pack of packSignals(signals)) publisher.publish(channel, pack).catch(() => {});
    },
    listen(by) {
      listener = by;
      hearing.connect().catch(() => {});
    },
    isUp: () => subscribed,
    async stop() {
      stopped = true;
      clearInterval(pulse);
      hearing.disconnect();
      publisher.disconnect();
    },
  };
}

/** Replaces unresponsive connections, since a frozen Redis does not report itself. */
function createReplacing(connections: readonly Redis[], isStopped: () => boolean): () => void {
  const retryMs = new Map<Redis, number>();
  const check = (redis: Redis) => {
    if (redis.status === 'ready') {
      retryMs.delete(redis);
      redis.ping().catch(() => {
        if (!isStopped() && redis.status === 'ready') redis.disconnect(true);
      });
    } else if (redis.status === 'connect') {
      const turns = (retryMs.get(redis) ?? 0) + 1;
      retryMs.set(redis, turns);
      if (turns * askEveryMs <= silentMs * 2) return;
      retryMs.delete(redis);
      redis.disconnect(true);
    }
  };
  return () => connections.forEach(check);
}
