/** What apps call the person that they are about, whatever it is to the service. */
export const customers: ReadonlySet<string> = new Set(
  "customer client contact buyer user account person payer holder subscriber member guest profile owner requester".split(
    " ",
  ),
);

/** People who are somebody else than that, by what they are to each other. */
export const roles: ReadonlySet<string> = new Set(
  "agent,advisor,adviser,doctor,prescriber,physician,nurse,dentist,vet,clinician,therapist,patient,technician,mechanic,engineer,installer,driver,courier,carrier,shipper,consignee,sender,recipient,guardian,parent,child,relative,heir,tribute,donor,teacher,tutor,coach,trainer,instructor,learner,student,pupil,attendant,housekeeper,cleaner,waiter,barista,manager,supervisor,superior,boss,employee,colleague,assignee,creator,author,editor,reporter,approver,reviewer,host,organizer,organiser,speaker,attendee,participant,visitor,tenant,landlord,seller,supplier,broker,lawyer,attorney,candidate,applicant,recruiter,interviewer,referrer,sponsor,partner,desk".split(
    ",",
  ),
);
