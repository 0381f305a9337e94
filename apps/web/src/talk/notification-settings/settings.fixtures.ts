import type { NotificationSettings, TopicChoice } from '@nearhand/contract/talk/notification-settings';

export const sampleTopic = (change: Partial<TopicChoice> = {}): TopicChoice => ({
  topic: 'application-viewed',
  group: 'applications',
  locked: [],
  urgent: false,
  daily: true,
  sides: ['work'],
  choice: { app: 'on', push: 'on', email: 'on' },
  ...change,
});

export const sampleSettings = (change: Partial<NotificationSettings> = {}): NotificationSettings => ({
  topics: [
    sampleTopic(),
    sampleTopic({ topic: 'application-rejected' }),
    sampleTopic({ topic: 'application-received', sides: ['hire'] }),
    sampleTopic({ topic: 'offer-received', group: 'offers', daily: false }),
    sampleTopic({ topic: 'withdrawal-failed', group: 'money', locked: ['app', 'email'], daily: false }),
    sampleTopic({ topic: 'tip-received', group: 'money', locked: ['app'] }),
    sampleTopic({ topic: 'test-notice', group: 'account', sides: [] }),
  ],
  quiet: { on: true, from: '22:00', to: '07:00', timeZone: 'Europe/Amsterdam' },
  devices: [
    {
      id: '0193aaaa-0000-7000-8000-0000000000d1',
      kind: 'web',
      label: 'Firefox on Linux',
      addedAt: '2026-11-20T10:00:00Z',
      lastUsedAt: null,
    },
  ],
  email: { address: 'leila@demo.nearhand.example', state: 'ok' },
  vapidPublicKey: 'BExampleKey',
  nativePush: { android: false, ios: false },
  ...change,
});
