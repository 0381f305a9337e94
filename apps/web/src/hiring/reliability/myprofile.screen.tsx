import { MyProfile } from '../../people/profiles/my-profile.tsx';
import { OwnReliability } from './own-reliability.tsx';

/** Your profile with your reliability below it. */
export default function MyProfileScreen() {
  return <MyProfile below={<OwnReliability />} />;
}
