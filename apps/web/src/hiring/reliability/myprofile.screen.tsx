import { MyProfile } from '../../people/profiles/my-profile.part.tsx';
import { OwnReliability } from './own-reliability.part.tsx';

/** Your profile with your reliability below it. */
export default function MyProfileScreen() {
  return <MyProfile below={<OwnReliability />} />;
}
