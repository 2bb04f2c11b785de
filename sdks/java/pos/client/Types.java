// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
package pos.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the API takes and answers. A method with an argument sets the member of its name and returns the object. */
public final class Types {
    private Types() {}

    public static final class ActionLink extends JsonObject {
        private ActionLink(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ActionLink of(Object value) {
            return new ActionLink(asMembers(value));
        }

        /** Absolute address that the link opens. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        /** Text of the link for the payer. */
        public String label() {
            return get("label", JsonObject::asText);
        }

        /** Name of the saved file when {@code action} is {@code DownloadFile}. */
        public String fileName() {
            return find("fileName", JsonObject::asText);
        }

        /**
         * {@code OpenLink} opens the address; {@code DownloadFile} saves what it returns. One of {@code
         * OpenLink}, {@code DownloadFile}.
         */
        public String action() {
            return get("action", JsonObject::asText);
        }
    }

    public static final class Address extends JsonObject {
        public Address() {
            super(new LinkedHashMap<>());
        }

        private Address(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Address of(Object value) {
            return new Address(asMembers(value));
        }

        /** First line: house number and street. */
        public String address1() {
            return find("address1", JsonObject::asText);
        }

        public Address address1(String value) {
            put("address1", value);
            return this;
        }

        /** Second line, such as a flat or a building. */
        public String address2() {
            return find("address2", JsonObject::asText);
        }

        public Address address2(String value) {
            put("address2", value);
            return this;
        }

        /** Third line, where two are not enough. */
        public String address3() {
            return find("address3", JsonObject::asText);
        }

        public Address address3(String value) {
            put("address3", value);
            return this;
        }

        /** Fourth line, where three are not enough. */
        public String address4() {
            return find("address4", JsonObject::asText);
        }

        public Address address4(String value) {
            put("address4", value);
            return this;
        }

        /** Town or city. */
        public String city() {
            return find("city", JsonObject::asText);
        }

        public Address city(String value) {
            put("city", value);
            return this;
        }

        /** State or province, where the country has them. */
        public String state() {
            return find("state", JsonObject::asText);
        }

        public Address state(String value) {
            put("state", value);
            return this;
        }

        /** Village or district within the city. */
        public String locality() {
            return find("locality", JsonObject::asText);
        }

        public Address locality(String value) {
            put("locality", value);
            return this;
        }

        /** County, where addresses of the country name one. */
        public String county() {
            return find("county", JsonObject::asText);
        }

        public Address county(String value) {
            put("county", value);
            return this;
        }

        /** Postal code as it is written in the country. Address checks of the issuer compare it. */
        public String postcode() {
            return find("postcode", JsonObject::asText);
        }

        public Address postcode(String value) {
            put("postcode", value);
            return this;
        }

        /** ISO 3166-1 alpha-2 code of the country, such as {@code GB}; read in any case, written in capitals. */
        public String countryCode() {
            return get("countryCode", JsonObject::asText);
        }

        public Address countryCode(String value) {
            put("countryCode", value);
            return this;
        }
    }

    public static final class Alarm extends JsonObject {
        private Alarm(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Alarm of(Object value) {
            return new Alarm(asMembers(value));
        }

        /** UUID of the alarm. */
        public String alarmId() {
            return get("alarmId", JsonObject::asText);
        }

        /**
         * What is wrong; the page about pending payments and alarms explains each kind. One of {@code
         * AcquirerCallOpen}, {@code AcquirerAccessRefused}, {@code AcquirerAnswerContradicted}, {@code
         * MoneyNotReturned}, {@code AuthorisationUntraceable}, {@code MachineApprovalNotBooked}, {@code
         * MachineApprovalDiffers}, {@code MachineApprovalIncomplete}, {@code MachineApprovalUnreadable}, {@code
         * MachineContradictsApproval}, {@code MachineReportsMissing}, {@code RefundToOtherCard}, {@code
         * RecordNotProved}, {@code SettlementOverdue}, {@code AcquirerBooksUnread}.
         */
        public String kind() {
            return get("kind", JsonObject::asText);
        }

        /** The reference or id that the alarm is about. */
        public String subject() {
            return get("subject", JsonObject::asText);
        }

        /** What happened, and what to check. */
        public String message() {
            return get("message", JsonObject::asText);
        }

        /** Facts of this kind of alarm; amounts are minor units. */
        public Map<String, Object> details() {
            return get("details", JsonObject.asMap(JsonObject::asIs));
        }

        /** When the alarm was raised. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /**
         * {@code Unanswered} until an operator has answered it, or the service because its cause has ended. One
         * of {@code Unanswered}, {@code Answered}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** What the operator said, with whose key, and when. */
        public AlarmAnswerObject answer() {
            return find("answer", AlarmAnswerObject::of);
        }
    }

    public static final class AlarmAnswer extends JsonObject {
        public AlarmAnswer() {
            super(new LinkedHashMap<>());
        }

        private AlarmAnswer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static AlarmAnswer of(Object value) {
            return new AlarmAnswer(asMembers(value));
        }

        /** What was checked; kept in the audit log. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        public AlarmAnswer note(String value) {
            put("note", value);
            return this;
        }
    }

    /** What the operator said, with whose key, and when. */
    public static final class AlarmAnswerObject extends JsonObject {
        private AlarmAnswerObject(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static AlarmAnswerObject of(Object value) {
            return new AlarmAnswerObject(asMembers(value));
        }

        /** What the operator has checked and done, or what has ended. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        /**
         * Id of the API key ({@code key_…}) that answered; {@code service} if the cause ended and the service
         * answered itself.
         */
        public String keyId() {
            return get("keyId", JsonObject::asText);
        }

        /** When it was answered. */
        public String answeredAt() {
            return get("answeredAt", JsonObject::asText);
        }
    }

    public static final class AlarmPage extends JsonObject {
        private AlarmPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static AlarmPage of(Object value) {
            return new AlarmPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<Alarm> data() {
            return get("data", JsonObject.asList(Alarm::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class ApiKey extends JsonObject {
        private ApiKey(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ApiKey of(Object value) {
            return new ApiKey(asMembers(value));
        }

        /** Id of the record ({@code key_…}), not the key itself. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account that the key belongs to ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** Environment that every request with the key reaches. One of {@code sandbox}, {@code production}. */
        public String environment() {
            return get("environment", JsonObject::asText);
        }

        /** The name that people gave it. */
        public String label() {
            return get("label", JsonObject::asText);
        }

        /** What the key may do. A role is stored as the list it had when the key was created. */
        public List<String> permissions() {
            return get("permissions", JsonObject.asList(JsonObject::asText));
        }

        /**
         * True: requests that move money are refused with 400 if they have a member that the service does not
         * know. False: the header {@code warnings} of the answer names it. Keys of before this setting have
         * false.
         */
        public boolean strict() {
            return get("strict", JsonObject::asBoolean);
        }

        /** The first characters of its text, which name the environment. */
        public String prefix() {
            return get("prefix", JsonObject::asText);
        }

        /** The last four characters of its text, to distinguish keys. */
        public String last4() {
            return get("last4", JsonObject::asText);
        }

        /** When the key was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** To the minute. */
        public String lastUsedAt() {
            return find("lastUsedAt", JsonObject::asText);
        }
    }

    public static final class ApiKeyChange extends JsonObject {
        public ApiKeyChange() {
            super(new LinkedHashMap<>());
        }

        private ApiKeyChange(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ApiKeyChange of(Object value) {
            return new ApiKeyChange(asMembers(value));
        }

        /**
         * Whether requests of the key that move money are refused if they have an unknown member. False: the
         * header {@code warnings} of the answer names it.
         */
        public boolean strict() {
            return get("strict", JsonObject::asBoolean);
        }

        public ApiKeyChange strict(boolean value) {
            put("strict", value);
            return this;
        }
    }

    public static final class BookingEvent extends JsonObject {
        private BookingEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static BookingEvent of(Object value) {
            return new BookingEvent(asMembers(value));
        }

        /** Id of the event ({@code evt_…}), the same in every attempt; receivers detect repeats by it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account in which it happened ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** When it happened. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** The kind of event. One of {@code reservation.updated}, {@code party.updated}. */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /** What was created, changed or deleted. Read it again; one that is not found any more was deleted. */
        public BookingEventData data() {
            return get("data", BookingEventData::of);
        }
    }

    /** What was created, changed or deleted. Read it again; one that is not found any more was deleted. */
    public static final class BookingEventData extends JsonObject {
        private BookingEventData(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static BookingEventData of(Object value) {
            return new BookingEventData(asMembers(value));
        }

        /** Id of the reservation at the EPOS; with {@code reservation.updated} only. */
        public String reservationId() {
            return find("reservationId", JsonObject::asText);
        }

        /** Id of the party at the EPOS; with {@code party.updated} only. */
        public String partyId() {
            return find("partyId", JsonObject::asText);
        }
    }

    public static final class Branding extends JsonObject {
        private Branding(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Branding of(Object value) {
            return new Branding(asMembers(value));
        }

        /** The https address of the logo; null: none. */
        public String logoUrl() {
            return find("logoUrl", JsonObject::asText);
        }

        /** The https address of the icon of the browser tab; null: none. */
        public String faviconUrl() {
            return find("faviconUrl", JsonObject::asText);
        }

        /** The colour of the button, {@code #0b57d0}; null: that of the service. */
        public String accentColor() {
            return find("accentColor", JsonObject::asText);
        }

        /** The kind of letters; null: the font of the system. */
        public String font() {
            return find("font", JsonObject::asText);
        }

        /** Read-only: the colours that the page derives from {@code accentColor}; null without one. */
        public BrandingColors colors() {
            return find("colors", BrandingColors::of);
        }
    }

    /**
     * A member that is not sent stays as it is. In production null removes it; in a sandbox null restores the
     * value of production.
     */
    public static final class BrandingChange extends JsonObject {
        public BrandingChange() {
            super(new LinkedHashMap<>());
        }

        private BrandingChange(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static BrandingChange of(Object value) {
            return new BrandingChange(asMembers(value));
        }

        /** The https address of the logo; null: none. */
        public String logoUrl() {
            return find("logoUrl", JsonObject::asText);
        }

        public BrandingChange logoUrl(String value) {
            put("logoUrl", value);
            return this;
        }

        /** The https address of the icon of the browser tab; null: none. */
        public String faviconUrl() {
            return find("faviconUrl", JsonObject::asText);
        }

        public BrandingChange faviconUrl(String value) {
            put("faviconUrl", value);
            return this;
        }

        /** The colour of the button, {@code #0b57d0}; null: that of the service. */
        public String accentColor() {
            return find("accentColor", JsonObject::asText);
        }

        public BrandingChange accentColor(String value) {
            put("accentColor", value);
            return this;
        }

        /** The kind of letters; null: the font of the system. */
        public String font() {
            return find("font", JsonObject::asText);
        }

        public BrandingChange font(String value) {
            put("font", value);
            return this;
        }
    }

    public static final class BrandingColors extends JsonObject {
        private BrandingColors(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static BrandingColors of(Object value) {
            return new BrandingColors(asMembers(value));
        }

        /** The button: black or white on {@code accentColor}. */
        public ColorPair button() {
            return get("button", ColorPair::of);
        }

        /** Links and outlines on light pages: {@code accentColor}, darkened until it can be read. */
        public ColorPair lightLink() {
            return get("lightLink", ColorPair::of);
        }

        /** Links and outlines on dark pages: {@code accentColor}, lightened until it can be read. */
        public ColorPair darkLink() {
            return get("darkLink", ColorPair::of);
        }
    }

    public static final class CancelSetupIntentQuery extends JsonObject {
        public CancelSetupIntentQuery() {
            super(new LinkedHashMap<>());
        }

        private CancelSetupIntentQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CancelSetupIntentQuery of(Object value) {
            return new CancelSetupIntentQuery(asMembers(value));
        }

        /** Also when a card is authorised; without it that is a conflict. */
        public Boolean includeAuthorized() {
            return find("includeAuthorized", JsonObject::asBoolean);
        }

        public CancelSetupIntentQuery includeAuthorized(Boolean value) {
            put("includeAuthorized", value);
            return this;
        }
    }

    public static final class Capture extends JsonObject {
        private Capture(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Capture of(Object value) {
            return new Capture(asMembers(value));
        }

        /** Id of the capture ({@code cp_…}). */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Captured minor units without the tip, in the currency of the payment. */
        public long amount() {
            return get("amount", JsonObject::asLong);
        }

        /** Captured tip in minor units, on top of {@code amount}; 0 without one. */
        public long tipsAmount() {
            return get("tipsAmount", JsonObject::asLong);
        }

        /**
         * {@code Created} until the acquirer answers; then {@code Successful}, {@code Declined} or {@code
         * Failed}. Only successful captures moved money. One of {@code Created}, {@code Successful}, {@code
         * Declined}, {@code Failed}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** When the capture was requested. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    public static final class CaptureResult extends JsonObject {
        private CaptureResult(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CaptureResult of(Object value) {
            return new CaptureResult(asMembers(value));
        }

        /** Id of the capture ({@code cp_…}); also in {@code captures} of the intent. */
        public String captureId() {
            return get("captureId", JsonObject::asText);
        }

        /** Always {@code DEPOSITED}: the acquirer has accepted the capture. One of {@code DEPOSITED}. */
        public String message() {
            return get("message", JsonObject::asText);
        }
    }

    public static final class Card extends JsonObject {
        private Card(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Card of(Object value) {
            return new Card(asMembers(value));
        }

        /**
         * First 8 digits, {@code ****}, last 4. Asterisks replace digits that are not known, or that must not be
         * displayed because the number may have fewer than 16. Empty when the card machine or the acquirer sent
         * no readable mask.
         */
        public String cardNumber() {
            return get("cardNumber", JsonObject::asText);
        }

        /** Empty when they were not sent in a readable form. */
        public String last4PAN() {
            return get("last4PAN", JsonObject::asText);
        }

        /** Name on the card, as the payer entered it or the machine read it; absent when it is not known. */
        public String cardName() {
            return find("cardName", JsonObject::asText);
        }

        /** Last day of the expiry month. */
        public String expiryDate() {
            return find("expiryDate", JsonObject::asText);
        }

        /** Scheme of the card in capitals, such as {@code VISA}; {@code UNKNOWN} when its label is not known. */
        public String cardType() {
            return get("cardType", JsonObject::asText);
        }

        /**
         * How the card is funded, as the acquirer reports it; {@code Unknown} when it does not. One of {@code
         * Unknown}, {@code Debit}, {@code Credit}, {@code Charge}, {@code Prepaid}.
         */
        public String cardFundingType() {
            return get("cardFundingType", JsonObject::asText);
        }

        /**
         * How the card was read, as the machine reports it; {@code Unknown} for payments online. One of {@code
         * Contactless}, {@code ContactChip}, {@code Magstripe}, {@code ManualEntry}, {@code Unknown}.
         */
        public String entryMode() {
            return get("entryMode", JsonObject::asText);
        }

        /**
         * How the cardholder proved their identity at the machine; {@code None} online. One of {@code Pin},
         * {@code Signature}, {@code Device}, {@code None}.
         */
        public String verificationMethod() {
            return get("verificationMethod", JsonObject::asText);
        }
    }

    public static final class ChargeResult extends JsonObject {
        private ChargeResult(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ChargeResult of(Object value) {
            return new ChargeResult(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}) that was charged. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /**
         * How the charge has ended. {@code Created} is not sent any more: an outcome that is not known yet is
         * the answer 504. One of {@code Successful}, {@code Declined}, {@code Failed}, {@code Created}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** Outcome in the words of {@code paymentDetails.message}, such as {@code DEPOSITED} or {@code DECLINED}. */
        public String message() {
            return get("message", JsonObject::asText);
        }
    }

    public static final class CheckoutConfig extends JsonObject {
        private CheckoutConfig(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfig of(Object value) {
            return new CheckoutConfig(asMembers(value));
        }

        /** Heading of the payment page, if one was sent. */
        public String title() {
            return find("title", JsonObject::asText);
        }

        /** Where the page sends the payer after the payment, if an address was sent. */
        public String redirectUrl() {
            return find("redirectUrl", JsonObject::asText);
        }

        /** Where the page sends a payer who leaves without paying, if an address was sent. */
        public String cancelUrl() {
            return find("cancelUrl", JsonObject::asText);
        }

        /** Whether the page asks for an e-mail address. */
        public CheckoutConfigCustomerEmail customerEmail() {
            return get("customerEmail", CheckoutConfigCustomerEmail::of);
        }

        /** Whether the page asks for the billing address. */
        public CheckoutConfigBillingAddress billingAddress() {
            return get("billingAddress", CheckoutConfigBillingAddress::of);
        }

        /** Whether the page asks for a delivery address. */
        public CheckoutConfigShippingDetails shippingDetails() {
            return get("shippingDetails", CheckoutConfigShippingDetails::of);
        }

        /** What the page displays about the payment. */
        public CheckoutConfigDetails details() {
            return get("details", CheckoutConfigDetails::of);
        }

        /** Which amounts may change before the payment. */
        public CheckoutConfigPayment payment() {
            return get("payment", CheckoutConfigPayment::of);
        }

        /** The look of the merchant’s pages, from the settings of the account. */
        public CheckoutConfigBranding branding() {
            return get("branding", CheckoutConfigBranding::of);
        }

        /** Name of the merchant as payers know it, from the settings of the account. */
        public String tradingName() {
            return get("tradingName", JsonObject::asText);
        }
    }

    /** Whether the page asks for the billing address. */
    public static final class CheckoutConfigBillingAddress extends JsonObject {
        private CheckoutConfigBillingAddress(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfigBillingAddress of(Object value) {
            return new CheckoutConfigBillingAddress(asMembers(value));
        }

        /** Whether the payer must enter it to pay. */
        public boolean collectionRequired() {
            return get("collectionRequired", JsonObject::asBoolean);
        }
    }

    /** The look of the merchant’s pages, from the settings of the account. */
    public static final class CheckoutConfigBranding extends JsonObject {
        private CheckoutConfigBranding(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfigBranding of(Object value) {
            return new CheckoutConfigBranding(asMembers(value));
        }

        /** Address of the logo; absent when the account has none. */
        public String logoUrl() {
            return find("logoUrl", JsonObject::asText);
        }

        /** Address of the small icon of the browser tab; absent when the account has none. */
        public String faviconUrl() {
            return find("faviconUrl", JsonObject::asText);
        }

        /** The colour of the button, {@code #0b57d0}. */
        public String accentColor() {
            return find("accentColor", JsonObject::asText);
        }

        /**
         * The kind of letters of the page; the font of the system when absent. One of {@code sans}, {@code
         * humanist}, {@code geometric}, {@code rounded}, {@code serif}.
         */
        public String font() {
            return find("font", JsonObject::asText);
        }
    }

    /** Whether the page asks for an e-mail address. */
    public static final class CheckoutConfigCustomerEmail extends JsonObject {
        private CheckoutConfigCustomerEmail(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfigCustomerEmail of(Object value) {
            return new CheckoutConfigCustomerEmail(asMembers(value));
        }

        /** Whether the payer must enter it to pay. */
        public boolean collectionRequired() {
            return get("collectionRequired", JsonObject::asBoolean);
        }
    }

    /** What the page displays about the payment. */
    public static final class CheckoutConfigDetails extends JsonObject {
        private CheckoutConfigDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfigDetails of(Object value) {
            return new CheckoutConfigDetails(asMembers(value));
        }

        /** Whether the page displays the total. */
        public boolean showTotal() {
            return get("showTotal", JsonObject::asBoolean);
        }

        /** Whether the page displays {@code reference}. */
        public boolean showReference() {
            return get("showReference", JsonObject::asBoolean);
        }
    }

    /** Which amounts may change before the payment. */
    public static final class CheckoutConfigPayment extends JsonObject {
        private CheckoutConfigPayment(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfigPayment of(Object value) {
            return new CheckoutConfigPayment(asMembers(value));
        }

        /** Whether the amount can be changed before the payment. */
        public boolean customAmountAllowed() {
            return get("customAmountAllowed", JsonObject::asBoolean);
        }

        /** Whether the tip can be changed. */
        public boolean tipsAllowed() {
            return get("tipsAllowed", JsonObject::asBoolean);
        }

        /** Whether the amount can be raised while the payment is held. */
        public boolean holdRaiseAllowed() {
            return get("holdRaiseAllowed", JsonObject::asBoolean);
        }
    }

    /** Whether the page asks for a delivery address. */
    public static final class CheckoutConfigShippingDetails extends JsonObject {
        private CheckoutConfigShippingDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CheckoutConfigShippingDetails of(Object value) {
            return new CheckoutConfigShippingDetails(asMembers(value));
        }

        /** Whether the payer must enter it to pay. */
        public boolean collectionRequired() {
            return get("collectionRequired", JsonObject::asBoolean);
        }
    }

    public static final class Clock extends JsonObject {
        private Clock(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Clock of(Object value) {
            return new Clock(asMembers(value));
        }

        /** The time of this account after the advance. */
        public String now() {
            return get("now", JsonObject::asText);
        }
    }

    public static final class ClockAdvance extends JsonObject {
        public ClockAdvance() {
            super(new LinkedHashMap<>());
        }

        private ClockAdvance(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ClockAdvance of(Object value) {
            return new ClockAdvance(asMembers(value));
        }

        /** How far to move, as {@code hh:mm:ss} or {@code d.hh:mm:ss}; more than zero and at most 366 days. */
        public String by() {
            return get("by", JsonObject::asText);
        }

        public ClockAdvance by(String value) {
            put("by", value);
            return this;
        }
    }

    public static final class ColorPair extends JsonObject {
        private ColorPair(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ColorPair of(Object value) {
            return new ColorPair(asMembers(value));
        }

        /** The colour below the text. */
        public String background() {
            return get("background", JsonObject::asText);
        }

        /** The colour of the text. */
        public String text() {
            return get("text", JsonObject::asText);
        }

        /** The contrast of the two as WCAG 2.2 defines it, rounded down to two decimals; at least 4.5. */
        public double contrast() {
            return get("contrast", JsonObject::asDouble);
        }
    }

    public static final class Customer extends JsonObject {
        private Customer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Customer of(Object value) {
            return new Customer(asMembers(value));
        }

        /** Id of the customer: {@code cust_sandbox_…} in the sandbox, {@code cust_…} in production. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Name of the person or company, if it is known. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        /** E-mail address, if it is known. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        /** Phone number, if it is known. */
        public String phoneNumber() {
            return find("phoneNumber", JsonObject::asText);
        }

        /** VAT number, if it is known. */
        public String vatNumber() {
            return find("vatNumber", JsonObject::asText);
        }

        /** Address of invoices, if it is known. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        /** Address of deliveries, if it is known. */
        public Address shippingAddress() {
            return find("shippingAddress", Address::of);
        }

        /** When the customer was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the customer was changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** 0 at creation, one more with each change. */
        public long documentVersion() {
            return get("documentVersion", JsonObject::asLong);
        }
    }

    /** A member that is not sent stays as it is; null removes it. An address is replaced as a whole. */
    public static final class CustomerChange extends JsonObject {
        public CustomerChange() {
            super(new LinkedHashMap<>());
        }

        private CustomerChange(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CustomerChange of(Object value) {
            return new CustomerChange(asMembers(value));
        }

        /** The new name; null removes it. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public CustomerChange name(String value) {
            put("name", value);
            return this;
        }

        /** The new e-mail address; null removes it. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        public CustomerChange emailAddress(String value) {
            put("emailAddress", value);
            return this;
        }

        /** The new phone number; null removes it. */
        public String phoneNumber() {
            return find("phoneNumber", JsonObject::asText);
        }

        public CustomerChange phoneNumber(String value) {
            put("phoneNumber", value);
            return this;
        }

        /** The new VAT number; null removes it. */
        public String vatNumber() {
            return find("vatNumber", JsonObject::asText);
        }

        public CustomerChange vatNumber(String value) {
            put("vatNumber", value);
            return this;
        }

        /** The new address of invoices, as a whole; null removes it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        public CustomerChange billingAddress(Address value) {
            put("billingAddress", value);
            return this;
        }

        /** The new address of deliveries, as a whole; null removes it. */
        public Address shippingAddress() {
            return find("shippingAddress", Address::of);
        }

        public CustomerChange shippingAddress(Address value) {
            put("shippingAddress", value);
            return this;
        }
    }

    public static final class CustomerPage extends JsonObject {
        private CustomerPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CustomerPage of(Object value) {
            return new CustomerPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<Customer> data() {
            return get("data", JsonObject.asList(Customer::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class CustomerSearch extends JsonObject {
        public CustomerSearch() {
            super(new LinkedHashMap<>());
        }

        private CustomerSearch(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CustomerSearch of(Object value) {
            return new CustomerSearch(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public CustomerSearch limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public CustomerSearch before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public CustomerSearch after(String value) {
            put("after", value);
            return this;
        }

        /** Only customers whose name begins with this text, ignoring case. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public CustomerSearch name(String value) {
            put("name", value);
            return this;
        }

        /**
         * Only customers whose e-mail address begins with this text, ignoring case. Cannot be sent with {@code
         * name}.
         */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        public CustomerSearch emailAddress(String value) {
            put("emailAddress", value);
            return this;
        }
    }

    public static final class CustomerSecret extends JsonObject {
        private CustomerSecret(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static CustomerSecret of(Object value) {
            return new CustomerSecret(asMembers(value));
        }

        /** For the app of this customer; usable repeatedly until it expires. */
        public String secret() {
            return get("secret", JsonObject::asText);
        }

        /** When the secret was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** 15 minutes later. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }
    }

    public static final class Delivery extends JsonObject {
        private Delivery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Delivery of(Object value) {
            return new Delivery(asMembers(value));
        }

        /** Id of the delivery ({@code dlv_…}), also in the header {@code delivery-id}. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Id of the event ({@code evt_…}) that is delivered. */
        public String eventId() {
            return get("eventId", JsonObject::asText);
        }

        /**
         * The kind of event. One of {@code payment_intent.created}, {@code payment_intent.status_updated},
         * {@code payment_intent.send-receipt}, {@code terminal_session.created}, {@code
         * terminal_session.status_updated}, {@code terminal_session.signature_verification_required}, {@code
         * terminal_session.notification}, {@code payment_intent.amount_captured}, {@code
         * payment_intent.amount_refunded}, {@code payment_intent.charge_failed}, {@code reservation.updated},
         * {@code party.updated}.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /**
         * {@code Held} while the subscription is paused; {@code DeadLettered} after the last attempt. One of
         * {@code Pending}, {@code Held}, {@code Delivered}, {@code DeadLettered}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** The number of attempts so far; a replay starts at 0. */
        public long attempts() {
            return get("attempts", JsonObject::asLong);
        }

        /** When the next attempt is due; absent when there is none. */
        public String nextAttemptAt() {
            return find("nextAttemptAt", JsonObject::asText);
        }

        /** HTTP status of the last attempt that was answered. */
        public Long lastStatus() {
            return find("lastStatus", JsonObject::asLong);
        }

        /** Why the last attempt failed; absent after a success and before the first attempt. */
        public String lastError() {
            return find("lastError", JsonObject::asText);
        }

        /** When the delivery was queued. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the delivery changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }
    }

    /** One attempt to deliver an event. */
    public static final class DeliveryAttempt extends JsonObject {
        private DeliveryAttempt(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DeliveryAttempt of(Object value) {
            return new DeliveryAttempt(asMembers(value));
        }

        /** Number of the attempt in its series, from 1; a replay starts a new series. */
        public long number() {
            return get("number", JsonObject::asLong);
        }

        /** When the attempt began. */
        public String at() {
            return get("at", JsonObject::asText);
        }

        /**
         * Refused: answered with a status below 500 that is no success. Failed: not answered, or 5xx. One of
         * {@code Succeeded}, {@code Refused}, {@code Failed}.
         */
        public String outcome() {
            return get("outcome", JsonObject::asText);
        }

        /** HTTP status of the answer; absent where there was none. */
        public Long status() {
            return find("status", JsonObject::asLong);
        }

        /** Why the attempt failed; absent after a success. */
        public String error() {
            return find("error", JsonObject::asText);
        }

        /** How long the attempt took, in milliseconds. */
        public long tookMs() {
            return get("tookMs", JsonObject::asLong);
        }

        /** The trace of the attempt: 32 hex digits. */
        public String traceId() {
            return get("traceId", JsonObject::asText);
        }

        /**
         * The first 200 characters of the answer of the receiver; absent for an empty answer, and for one that
         * looks like a secret or a card number.
         */
        public String answer() {
            return find("answer", JsonObject::asText);
        }
    }

    public static final class DeliveryDetails extends JsonObject {
        private DeliveryDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DeliveryDetails of(Object value) {
            return new DeliveryDetails(asMembers(value));
        }

        /** Id of the delivery ({@code dlv_…}), also in the header {@code delivery-id}. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Id of the event ({@code evt_…}) that is delivered. */
        public String eventId() {
            return get("eventId", JsonObject::asText);
        }

        /**
         * The kind of event. One of {@code payment_intent.created}, {@code payment_intent.status_updated},
         * {@code payment_intent.send-receipt}, {@code terminal_session.created}, {@code
         * terminal_session.status_updated}, {@code terminal_session.signature_verification_required}, {@code
         * terminal_session.notification}, {@code payment_intent.amount_captured}, {@code
         * payment_intent.amount_refunded}, {@code payment_intent.charge_failed}, {@code reservation.updated},
         * {@code party.updated}.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /**
         * {@code Held} while the subscription is paused; {@code DeadLettered} after the last attempt. One of
         * {@code Pending}, {@code Held}, {@code Delivered}, {@code DeadLettered}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** The number of attempts so far; a replay starts at 0. */
        public long attempts() {
            return get("attempts", JsonObject::asLong);
        }

        /** When the next attempt is due; absent when there is none. */
        public String nextAttemptAt() {
            return find("nextAttemptAt", JsonObject::asText);
        }

        /** HTTP status of the last attempt that was answered. */
        public Long lastStatus() {
            return find("lastStatus", JsonObject::asLong);
        }

        /** Why the last attempt failed; absent after a success and before the first attempt. */
        public String lastError() {
            return find("lastError", JsonObject::asText);
        }

        /** When the delivery was queued. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the delivery changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** The body of every attempt. It is sent as compact JSON. */
        public Object body() {
            return get("body", JsonObject::asIs);
        }

        /**
         * The attempts, newest first, 100 at most. Attempts are kept for the time that the operator has set, so
         * there may be fewer than {@code attempts}.
         */
        public List<DeliveryAttempt> history() {
            return get("history", JsonObject.asList(DeliveryAttempt::of));
        }
    }

    public static final class DeliveryLink extends JsonObject {
        private DeliveryLink(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DeliveryLink of(Object value) {
            return new DeliveryLink(asMembers(value));
        }

        /** The path of the page. Append it to the address of the portal. Everybody who has it can read the page. */
        public String path() {
            return get("path", JsonObject::asText);
        }

        /** When the link ends, by real time also in a sandbox. */
        public String expiresAt() {
            return get("expiresAt", JsonObject::asText);
        }
    }

    public static final class DeliveryPage extends JsonObject {
        private DeliveryPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DeliveryPage of(Object value) {
            return new DeliveryPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<Delivery> data() {
            return get("data", JsonObject.asList(Delivery::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class DifferenceAnswer extends JsonObject {
        public DifferenceAnswer() {
            super(new LinkedHashMap<>());
        }

        private DifferenceAnswer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DifferenceAnswer of(Object value) {
            return new DifferenceAnswer(asMembers(value));
        }

        /** Why; kept in the audit log. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        public DifferenceAnswer note(String value) {
            put("note", value);
            return this;
        }
    }

    public static final class DiningArea extends JsonObject {
        private DiningArea(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DiningArea of(Object value) {
            return new DiningArea(asMembers(value));
        }

        /** Id of the area at the EPOS. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Name of the area, as staff know it. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** Ids of the waiters who serve the area. */
        public List<String> waiterIds() {
            return find("waiterIds", JsonObject.asList(JsonObject::asText));
        }
    }

    public static final class DiningTable extends JsonObject {
        private DiningTable(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DiningTable of(Object value) {
            return new DiningTable(asMembers(value));
        }

        /** Id of the table at the EPOS; bookings and orders name their tables by it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Name of the table, unique in its area. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** How many people the table has room for. */
        public Long maxCovers() {
            return find("maxCovers", JsonObject::asLong);
        }

        /** Id of the area where the table is. */
        public String areaId() {
            return find("areaId", JsonObject::asText);
        }

        /** Ids of the waiters who serve the table. */
        public List<String> waiterIds() {
            return find("waiterIds", JsonObject.asList(JsonObject::asText));
        }
    }

    public static final class DiningTablePage extends JsonObject {
        private DiningTablePage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static DiningTablePage of(Object value) {
            return new DiningTablePage(asMembers(value));
        }

        /** The elements of this page, in the order of the EPOS. */
        public List<DiningTable> data() {
            return get("data", JsonObject.asList(DiningTable::of));
        }

        /** Cursor of the previous page; null when there is none. */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the next page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }

        /** How many elements of the page were left out because they cannot be read; absent when all can. */
        public Long unreadableCount() {
            return find("unreadableCount", JsonObject::asLong);
        }
    }

    /** The password is never returned. */
    public static final class EposAuth extends JsonObject {
        private EposAuth(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposAuth of(Object value) {
            return new EposAuth(asMembers(value));
        }

        /** Always {@code basic}: HTTP Basic authentication. One of {@code basic}. */
        public String authType() {
            return get("authType", JsonObject::asText);
        }

        /** The credentials, without the password. */
        public EposAuthBasic basic() {
            return get("basic", EposAuthBasic::of);
        }
    }

    /** The credentials, without the password. */
    public static final class EposAuthBasic extends JsonObject {
        private EposAuthBasic(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposAuthBasic of(Object value) {
            return new EposAuthBasic(asMembers(value));
        }

        /** User name that the service sends to the EPOS. */
        public String username() {
            return get("username", JsonObject::asText);
        }
    }

    public static final class EposCallRecord extends JsonObject {
        private EposCallRecord(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposCallRecord of(Object value) {
            return new EposCallRecord(asMembers(value));
        }

        /** Id of the entry; its form has no meaning. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** The call. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** When it began. */
        public String at() {
            return get("at", JsonObject::asText);
        }

        /**
         * How the call ended: done, refused by the EPOS, or failed. One of {@code Succeeded}, {@code Refused},
         * {@code Failed}.
         */
        public String outcome() {
            return get("outcome", JsonObject::asText);
        }

        /** How long it took, in milliseconds. */
        public long tookMs() {
            return get("tookMs", JsonObject::asLong);
        }

        /** The trace of the request that caused the call: 32 hex digits. */
        public String traceId() {
            return get("traceId", JsonObject::asText);
        }

        /** How the EPOS was called; absent when there was no route. */
        public String transport() {
            return find("transport", JsonObject::asText);
        }

        /** The HTTP status of the answer, where there is one. */
        public Long status() {
            return find("status", JsonObject::asLong);
        }

        /** The code of the refusal, or why it failed. */
        public String reason() {
            return find("reason", JsonObject::asText);
        }

        /** The session at a table or the order that it is about. */
        public String subjectId() {
            return find("subjectId", JsonObject::asText);
        }

        /** The members of the answer that could not be read; absent when all could. */
        public List<EposUnreadableMember> unreadableMembers() {
            return find("unreadableMembers", JsonObject.asList(EposUnreadableMember::of));
        }
    }

    /** Name and version as they were sent. */
    public static final class EposCapability extends JsonObject {
        private EposCapability(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposCapability of(Object value) {
            return new EposCapability(asMembers(value));
        }

        /**
         * Name of the capability as it was registered. One of {@code ListAreas}, {@code SearchTables}, {@code
         * CreateOrder}, {@code GetOrderById}, {@code CancelOrderById}, {@code SearchOrders}, {@code
         * CreateOrderLock}, {@code ExtendOrderLock}, {@code DeleteOrderLock}, {@code GetOrderBillById}, {@code
         * RecordOrderPaymentById}, {@code CreateParty}, {@code GetPartyById}, {@code UpdateParty}, {@code
         * DeletePartyById}, {@code SearchParties}, {@code CreateReservation}, {@code GetReservationById}, {@code
         * UpdateReservation}, {@code DeleteReservationById}, {@code SearchReservations}, {@code
         * HandleEvent:payment_intent.created}, {@code HandleEvent:payment_intent.status_updated}, {@code
         * GetOrderBill}, {@code RecordOrderPayment}, {@code UpdatePartyById}, {@code UpdateReservationById}.
         */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** Version as it was registered; both spellings mean the same. One of {@code v1}, {@code 1.0.0}. */
        public String version() {
            return get("version", JsonObject::asText);
        }

        /** When the capability was registered. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }
    }

    public static final class EposConnection extends JsonObject {
        private EposConnection(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposConnection of(Object value) {
            return new EposConnection(asMembers(value));
        }

        /**
         * {@code stream}: the gRPC stream of the pay-at-table contract. {@code socket}: its WebSocket. {@code
         * dataSocket}: the WebSocket of the EPOS Data API. One of {@code stream}, {@code socket}, {@code
         * dataSocket}.
         */
        public String transport() {
            return get("transport", JsonObject::asText);
        }

        /** When the EPOS opened the connection. */
        public String openedAt() {
            return get("openedAt", JsonObject::asText);
        }

        /** When the EPOS last sent something on it. */
        public String seenAt() {
            return get("seenAt", JsonObject::asText);
        }
    }

    public static final class EposCustomer extends JsonObject {
        public EposCustomer() {
            super(new LinkedHashMap<>());
        }

        private EposCustomer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposCustomer of(Object value) {
            return new EposCustomer(asMembers(value));
        }

        /** Id of the customer; its form has no meaning. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        public EposCustomer id(String value) {
            put("id", value);
            return this;
        }

        /** E-mail address of the customer. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        public EposCustomer emailAddress(String value) {
            put("emailAddress", value);
            return this;
        }

        /** Phone number of the customer. */
        public String phoneNumber() {
            return find("phoneNumber", JsonObject::asText);
        }

        public EposCustomer phoneNumber(String value) {
            put("phoneNumber", value);
            return this;
        }

        /** Name of the customer. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public EposCustomer name(String value) {
            put("name", value);
            return this;
        }
    }

    public static final class EposDiscount extends JsonObject {
        public EposDiscount() {
            super(new LinkedHashMap<>());
        }

        private EposDiscount(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposDiscount of(Object value) {
            return new EposDiscount(asMembers(value));
        }

        /** Text of the discount on the bill. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public EposDiscount name(String value) {
            put("name", value);
            return this;
        }

        /** The amount of the whole discount. */
        public EposMoney amountTotal() {
            return get("amountTotal", EposMoney::of);
        }

        public EposDiscount amountTotal(EposMoney value) {
            put("amountTotal", value);
            return this;
        }

        /** Two decimals are implied: 25.1 % is 2510. */
        public Long amountPercentage() {
            return find("amountPercentage", JsonObject::asLong);
        }

        public EposDiscount amountPercentage(Long value) {
            put("amountPercentage", value);
            return this;
        }

        /** Empty: the whole order. */
        public List<String> affectedPlu() {
            return find("affectedPlu", JsonObject.asList(JsonObject::asText));
        }

        public EposDiscount affectedPlu(List<String> value) {
            put("affectedPlu", value);
            return this;
        }

        /** Reference of the discount at the EPOS. */
        public String discountReference() {
            return find("discountReference", JsonObject::asText);
        }

        public EposDiscount discountReference(String value) {
            put("discountReference", value);
            return this;
        }

        /** The code that the customer entered for the discount. */
        public String code() {
            return find("code", JsonObject::asText);
        }

        public EposDiscount code(String value) {
            put("code", value);
            return this;
        }
    }

    public static final class EposEvent extends JsonObject {
        private EposEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposEvent of(Object value) {
            return new EposEvent(asMembers(value));
        }

        /**
         * What has changed at the EPOS; decides which id {@code event} has. One of {@code OrderUpdated}, {@code
         * PartyUpdated}, {@code ReservationUpdated}.
         */
        public String eventType() {
            return get("eventType", JsonObject::asText);
        }

        /** The id of what has changed. */
        public EposEventEvent event() {
            return get("event", EposEventEvent::of);
        }
    }

    /** The id of what has changed. */
    public static final class EposEventEvent extends JsonObject {
        private EposEventEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposEventEvent of(Object value) {
            return new EposEventEvent(asMembers(value));
        }

        /** Id of the order at the EPOS. */
        public String orderId() {
            return find("orderId", JsonObject::asText);
        }

        /** Id of the party at the EPOS. */
        public String partyId() {
            return find("partyId", JsonObject::asText);
        }

        /** Id of the reservation at the EPOS. */
        public String reservationId() {
            return find("reservationId", JsonObject::asText);
        }
    }

    public static final class EposEventReplay extends JsonObject {
        public EposEventReplay() {
            super(new LinkedHashMap<>());
        }

        private EposEventReplay(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposEventReplay of(Object value) {
            return new EposEventReplay(asMembers(value));
        }

        /** Inclusive, by {@code createdAt} of the event. */
        public String from() {
            return find("from", JsonObject::asText);
        }

        public EposEventReplay from(String value) {
            put("from", value);
            return this;
        }

        /** Exclusive; now when not sent. */
        public String to() {
            return find("to", JsonObject::asText);
        }

        public EposEventReplay to(String value) {
            put("to", value);
            return this;
        }

        /** The reason; stored in the audit log. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        public EposEventReplay note(String value) {
            put("note", value);
            return this;
        }
    }

    public static final class EposIntegrations extends JsonObject {
        private EposIntegrations(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposIntegrations of(Object value) {
            return new EposIntegrations(asMembers(value));
        }

        /** The EPOS that is called over REST: one element, or none. */
        public List<RestIntegration> restIntegrations() {
            return get("restIntegrations", JsonObject.asList(RestIntegration::of));
        }

        /** The EPOS that opens a WebSocket: one element, or none. */
        public List<WsIntegration> wsIntegrations() {
            return get("wsIntegrations", JsonObject.asList(WsIntegration::of));
        }

        /** What the operator of the service has set up: one element, or none. */
        public List<ServiceManagedIntegration> serviceManagedIntegrations() {
            return get("serviceManagedIntegrations", JsonObject.asList(ServiceManagedIntegration::of));
        }

        /** The EPOS that is called over gRPC: one element, or none. */
        public List<GrpcIntegration> grpcIntegrations() {
            return get("grpcIntegrations", JsonObject.asList(GrpcIntegration::of));
        }
    }

    public static final class EposItem extends JsonObject {
        public EposItem() {
            super(new LinkedHashMap<>());
        }

        private EposItem(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposItem of(Object value) {
            return new EposItem(asMembers(value));
        }

        /** Text of the item on the bill. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public EposItem name(String value) {
            put("name", value);
            return this;
        }

        /** How many of the item were ordered. */
        public long quantity() {
            return get("quantity", JsonObject::asLong);
        }

        public EposItem quantity(long value) {
            put("quantity", value);
            return this;
        }

        /** Price look-up number: the item in the catalogue of the EPOS. */
        public String plu() {
            return get("plu", JsonObject::asText);
        }

        public EposItem plu(String value) {
            put("plu", value);
            return this;
        }

        /** Before modifiers, sub-items and discounts. */
        public EposMoney amountPerItem() {
            return get("amountPerItem", EposMoney::of);
        }

        public EposItem amountPerItem(EposMoney value) {
            put("amountPerItem", value);
            return this;
        }

        /** Instructions for the kitchen. */
        public String note() {
            return find("note", JsonObject::asText);
        }

        public EposItem note(String value) {
            put("note", value);
            return this;
        }

        /** Changes to the item that have a price of their own. */
        public List<EposModifier> modifiers() {
            return find("modifiers", JsonObject.asList(EposModifier::of));
        }

        public EposItem modifiers(List<EposModifier> value) {
            put("modifiers", value);
            return this;
        }

        /** Items that belong to this one, such as the courses of a menu. They have no sub-items of their own. */
        public List<EposItemSubItem> subItems() {
            return find("subItems", JsonObject.asList(EposItemSubItem::of));
        }

        public EposItem subItems(List<EposItemSubItem> value) {
            put("subItems", value);
            return this;
        }
    }

    public static final class EposItemSubItem extends JsonObject {
        public EposItemSubItem() {
            super(new LinkedHashMap<>());
        }

        private EposItemSubItem(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposItemSubItem of(Object value) {
            return new EposItemSubItem(asMembers(value));
        }

        /** Text of the item on the bill. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public EposItemSubItem name(String value) {
            put("name", value);
            return this;
        }

        /** How many of the item were ordered. */
        public long quantity() {
            return get("quantity", JsonObject::asLong);
        }

        public EposItemSubItem quantity(long value) {
            put("quantity", value);
            return this;
        }

        /** Price look-up number: the item in the catalogue of the EPOS. */
        public String plu() {
            return get("plu", JsonObject::asText);
        }

        public EposItemSubItem plu(String value) {
            put("plu", value);
            return this;
        }

        /** Before modifiers, sub-items and discounts. */
        public EposMoney amountPerItem() {
            return get("amountPerItem", EposMoney::of);
        }

        public EposItemSubItem amountPerItem(EposMoney value) {
            put("amountPerItem", value);
            return this;
        }

        /** Instructions for the kitchen. */
        public String note() {
            return find("note", JsonObject::asText);
        }

        public EposItemSubItem note(String value) {
            put("note", value);
            return this;
        }

        /** Changes to the item that have a price of their own. */
        public List<EposModifier> modifiers() {
            return find("modifiers", JsonObject.asList(EposModifier::of));
        }

        public EposItemSubItem modifiers(List<EposModifier> value) {
            put("modifiers", value);
            return this;
        }
    }

    /**
     * The quantity is that of a single item. The service writes its price as {@code amountPerItem} and, with the
     * same value, as {@code amountPerModifier}; it reads either.
     */
    public static final class EposModifier extends JsonObject {
        public EposModifier() {
            super(new LinkedHashMap<>());
        }

        private EposModifier(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposModifier of(Object value) {
            return new EposModifier(asMembers(value));
        }

        /** Text of the modifier on the bill. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public EposModifier name(String value) {
            put("name", value);
            return this;
        }

        /** How many of the modifier one item has. */
        public long quantity() {
            return get("quantity", JsonObject::asLong);
        }

        public EposModifier quantity(long value) {
            put("quantity", value);
            return this;
        }

        /** Price look-up number of the modifier at the EPOS. */
        public String plu() {
            return get("plu", JsonObject::asText);
        }

        public EposModifier plu(String value) {
            put("plu", value);
            return this;
        }

        /** Price of one modifier; negative for a discount. */
        public EposMoney amountPerItem() {
            return get("amountPerItem", EposMoney::of);
        }

        public EposModifier amountPerItem(EposMoney value) {
            put("amountPerItem", value);
            return this;
        }
    }

    public static final class EposMoney extends JsonObject {
        public EposMoney() {
            super(new LinkedHashMap<>());
        }

        private EposMoney(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposMoney of(Object value) {
            return new EposMoney(asMembers(value));
        }

        /** Whole minor units. */
        public long value() {
            return get("value", JsonObject::asLong);
        }

        public EposMoney value(long value) {
            put("value", value);
            return this;
        }

        /** ISO 4217 code, such as {@code GBP} or {@code EUR}. */
        public String currencyCode() {
            return get("currencyCode", JsonObject::asText);
        }

        public EposMoney currencyCode(String value) {
            put("currencyCode", value);
            return this;
        }
    }

    public static final class EposOrderDetails extends JsonObject {
        public EposOrderDetails() {
            super(new LinkedHashMap<>());
        }

        private EposOrderDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposOrderDetails of(Object value) {
            return new EposOrderDetails(asMembers(value));
        }

        /**
         * {@code DineIn} is served at a table, {@code Collection} is collected. One of {@code DineIn}, {@code
         * Collection}.
         */
        public String orderType() {
            return get("orderType", JsonObject::asText);
        }

        public EposOrderDetails orderType(String value) {
            put("orderType", value);
            return this;
        }

        /** Present for {@code DineIn}: where the order is served. */
        public EposOrderDetailsDineIn dineIn() {
            return find("dineIn", EposOrderDetailsDineIn::of);
        }

        public EposOrderDetails dineIn(EposOrderDetailsDineIn value) {
            put("dineIn", value);
            return this;
        }

        /** Present for {@code Collection}: when the order is collected. */
        public EposOrderDetailsCollection collection() {
            return find("collection", EposOrderDetailsCollection::of);
        }

        public EposOrderDetails collection(EposOrderDetailsCollection value) {
            put("collection", value);
            return this;
        }
    }

    /** Present for {@code Collection}: when the order is collected. */
    public static final class EposOrderDetailsCollection extends JsonObject {
        public EposOrderDetailsCollection() {
            super(new LinkedHashMap<>());
        }

        private EposOrderDetailsCollection(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposOrderDetailsCollection of(Object value) {
            return new EposOrderDetailsCollection(asMembers(value));
        }

        /** True: as soon as possible. Otherwise {@code collectAt} counts. */
        public Boolean asap() {
            return find("asap", JsonObject::asBoolean);
        }

        public EposOrderDetailsCollection asap(Boolean value) {
            put("asap", value);
            return this;
        }

        /** When the customer collects the order. */
        public String collectAt() {
            return find("collectAt", JsonObject::asText);
        }

        public EposOrderDetailsCollection collectAt(String value) {
            put("collectAt", value);
            return this;
        }
    }

    /** Present for {@code DineIn}: where the order is served. */
    public static final class EposOrderDetailsDineIn extends JsonObject {
        public EposOrderDetailsDineIn() {
            super(new LinkedHashMap<>());
        }

        private EposOrderDetailsDineIn(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposOrderDetailsDineIn of(Object value) {
            return new EposOrderDetailsDineIn(asMembers(value));
        }

        /** Id of the table at the EPOS. */
        public String tableId() {
            return find("tableId", JsonObject::asText);
        }

        public EposOrderDetailsDineIn tableId(String value) {
            put("tableId", value);
            return this;
        }

        /** Id of the waiter, as it is typed. */
        public String waiterId() {
            return find("waiterId", JsonObject::asText);
        }

        public EposOrderDetailsDineIn waiterId(String value) {
            put("waiterId", value);
            return this;
        }

        /** Id of the party at the EPOS. */
        public String partyId() {
            return find("partyId", JsonObject::asText);
        }

        public EposOrderDetailsDineIn partyId(String value) {
            put("partyId", value);
            return this;
        }

        /** Id of the reservation at the EPOS. */
        public String reservationId() {
            return find("reservationId", JsonObject::asText);
        }

        public EposOrderDetailsDineIn reservationId(String value) {
            put("reservationId", value);
            return this;
        }

        /** When the order is wanted at the table. */
        public String readyAt() {
            return find("readyAt", JsonObject::asText);
        }

        public EposOrderDetailsDineIn readyAt(String value) {
            put("readyAt", value);
            return this;
        }
    }

    public static final class EposTaxLine extends JsonObject {
        public EposTaxLine() {
            super(new LinkedHashMap<>());
        }

        private EposTaxLine(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposTaxLine of(Object value) {
            return new EposTaxLine(asMembers(value));
        }

        /** The amount of the tax. */
        public EposMoney amountTotal() {
            return get("amountTotal", EposMoney::of);
        }

        public EposTaxLine amountTotal(EposMoney value) {
            put("amountTotal", value);
            return this;
        }

        /** Id of the tax at the EPOS. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        public EposTaxLine id(String value) {
            put("id", value);
            return this;
        }

        /** Name of the tax on the bill, such as “VAT”. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public EposTaxLine name(String value) {
            put("name", value);
            return this;
        }

        /** Two decimals are implied: 25.1 % is 2510. */
        public Long amountPercentage() {
            return find("amountPercentage", JsonObject::asLong);
        }

        public EposTaxLine amountPercentage(Long value) {
            put("amountPercentage", value);
            return this;
        }

        /** Price look-up numbers of the taxed items; empty or absent for the whole order. */
        public List<String> affectedPlu() {
            return find("affectedPlu", JsonObject.asList(JsonObject::asText));
        }

        public EposTaxLine affectedPlu(List<String> value) {
            put("affectedPlu", value);
            return this;
        }
    }

    public static final class EposUnreadableMember extends JsonObject {
        private EposUnreadableMember(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EposUnreadableMember of(Object value) {
            return new EposUnreadableMember(asMembers(value));
        }

        /** The id of the order, session or table, or its place in the list, such as {@code [3]}. */
        public String element() {
            return get("element", JsonObject::asText);
        }

        /** The member, such as {@code items[0].quantity}; empty for the whole element. */
        public String member() {
            return get("member", JsonObject::asText);
        }

        /** The clause of the contract that it breaks, as the EPOS tester names it. */
        public String clause() {
            return get("clause", JsonObject::asText);
        }

        /** Why the member cannot be read. */
        public String problem() {
            return get("problem", JsonObject::asText);
        }

        /** True: the element cannot be shown or paid because of it. */
        public boolean skipped() {
            return get("skipped", JsonObject::asBoolean);
        }
    }

    public static final class ErrorGroups extends JsonObject {
        private ErrorGroups(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ErrorGroups of(Object value) {
            return new ErrorGroups(asMembers(value));
        }

        /** The groups, largest first. */
        public List<ErrorGroupsData> data() {
            return get("data", JsonObject.asList(ErrorGroupsData::of));
        }

        /**
         * False: only the newest 50,000 errors of the period are counted, or only the 100 largest groups are
         * listed.
         */
        public boolean isComplete() {
            return get("isComplete", JsonObject::asBoolean);
        }
    }

    public static final class ErrorGroupsData extends JsonObject {
        private ErrorGroupsData(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ErrorGroupsData of(Object value) {
            return new ErrorGroupsData(asMembers(value));
        }

        /** The operation. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** The HTTP status of the answers. */
        public Long status() {
            return find("status", JsonObject::asLong);
        }

        /** The code of the refusal. */
        public String reason() {
            return find("reason", JsonObject::asText);
        }

        /** How many requests of the period are in the group. */
        public long count() {
            return get("count", JsonObject::asLong);
        }

        /** When the newest of them began. */
        public String lastAt() {
            return get("lastAt", JsonObject::asText);
        }

        /** The trace of the newest of them. */
        public String lastTraceId() {
            return get("lastTraceId", JsonObject::asText);
        }
    }

    public static final class EventModel extends JsonObject {
        private EventModel(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static EventModel of(Object value) {
            return new EventModel(asMembers(value));
        }

        /** What the events are about. One of {@code PaymentIntent}, {@code TerminalSession}, {@code Booking}. */
        public String model() {
            return get("model", JsonObject::asText);
        }

        /** The kinds that a subscription may name. */
        public List<String> events() {
            return get("events", JsonObject.asList(JsonObject::asText));
        }
    }

    public static final class GroupErrorsQuery extends JsonObject {
        public GroupErrorsQuery() {
            super(new LinkedHashMap<>());
        }

        private GroupErrorsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static GroupErrorsQuery of(Object value) {
            return new GroupErrorsQuery(asMembers(value));
        }

        /** Inclusive; a day before the end when not sent. */
        public String from() {
            return find("from", JsonObject::asText);
        }

        public GroupErrorsQuery from(String value) {
            put("from", value);
            return this;
        }

        /** Exclusive; now when not sent. */
        public String to() {
            return find("to", JsonObject::asText);
        }

        public GroupErrorsQuery to(String value) {
            put("to", value);
            return this;
        }
    }

    /** An EPOS that serves the pay-at-table contract over gRPC. */
    public static final class GrpcIntegration extends JsonObject {
        private GrpcIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static GrpcIntegration of(Object value) {
            return new GrpcIntegration(asMembers(value));
        }

        /** Address at which the EPOS serves gRPC, as {@code https://host:port}. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        /** How the service authenticates itself at the EPOS. */
        public EposAuth auth() {
            return get("auth", EposAuth::of);
        }

        /** When it was registered. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    public static final class Health extends JsonObject {
        private Health(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Health of(Object value) {
            return new Health(asMembers(value));
        }

        /** Always {@code ok}; a process that is not ready answers a problem instead. One of {@code ok}. */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** The release of the service that answers. */
        public String release() {
            return get("release", JsonObject::asText);
        }
    }

    /** {@code customerId} and {@code id} are equal. */
    public static final class IntentCustomer extends JsonObject {
        private IntentCustomer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static IntentCustomer of(Object value) {
            return new IntentCustomer(asMembers(value));
        }

        /** Id of the stored customer ({@code cust_…}); absent when the intent names none. */
        public String customerId() {
            return find("customerId", JsonObject::asText);
        }

        /** Equal to {@code customerId}. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        /** E-mail address of the payer. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        /** Phone number of the payer. */
        public String phoneNumber() {
            return find("phoneNumber", JsonObject::asText);
        }
    }

    public static final class ItemLine extends JsonObject {
        private ItemLine(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ItemLine of(Object value) {
            return new ItemLine(asMembers(value));
        }

        /** The integrator’s or EPOS’s id of the line. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        /** Text of the line on the payment page and the receipt. Requests may send it as {@code name}. */
        public String caption() {
            return find("caption", JsonObject::asText);
        }

        /** Group of the item, such as “drinks”. */
        public String category() {
            return find("category", JsonObject::asText);
        }

        /** Price look-up number: the item in the catalogue of the EPOS. */
        public String plu() {
            return find("plu", JsonObject::asText);
        }

        /** Equal to {@code caption}. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        /** How many of the item the line has; 1 unless another number was sent. */
        public long quantity() {
            return get("quantity", JsonObject::asLong);
        }

        /** Before discounts and taxes, without modifiers. */
        public Money amountTotal() {
            return get("amountTotal", Money::of);
        }

        /** Changes to the item that have a price of their own; empty when there are none. */
        public List<Modifier> modifiers() {
            return get("modifiers", JsonObject.asList(Modifier::of));
        }
    }

    public static final class LeaseRelease extends JsonObject {
        public LeaseRelease() {
            super(new LinkedHashMap<>());
        }

        private LeaseRelease(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static LeaseRelease of(Object value) {
            return new LeaseRelease(asMembers(value));
        }

        /** Stored in the audit log. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        public LeaseRelease reason(String value) {
            put("reason", value);
            return this;
        }

        /** True: end the lease although money is open. 409 without it. */
        public Boolean confirm() {
            return find("confirm", JsonObject::asBoolean);
        }

        public LeaseRelease confirm(Boolean value) {
            put("confirm", value);
            return this;
        }
    }

    public static final class ListAlarmsQuery extends JsonObject {
        public ListAlarmsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListAlarmsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListAlarmsQuery of(Object value) {
            return new ListAlarmsQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListAlarmsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListAlarmsQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListAlarmsQuery after(String value) {
            put("after", value);
            return this;
        }

        /**
         * Only answered or only unanswered alarms; all when not sent. One of {@code Unanswered}, {@code
         * Answered}.
         */
        public String state() {
            return find("state", JsonObject::asText);
        }

        public ListAlarmsQuery state(String value) {
            put("state", value);
            return this;
        }
    }

    public static final class ListDeliveriesQuery extends JsonObject {
        public ListDeliveriesQuery() {
            super(new LinkedHashMap<>());
        }

        private ListDeliveriesQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListDeliveriesQuery of(Object value) {
            return new ListDeliveriesQuery(asMembers(value));
        }

        /**
         * Only deliveries in this state; all when not sent. One of {@code Pending}, {@code Held}, {@code
         * Delivered}, {@code DeadLettered}.
         */
        public String state() {
            return find("state", JsonObject::asText);
        }

        public ListDeliveriesQuery state(String value) {
            put("state", value);
            return this;
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListDeliveriesQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListDeliveriesQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListDeliveriesQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListEposCallsQuery extends JsonObject {
        public ListEposCallsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListEposCallsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListEposCallsQuery of(Object value) {
            return new ListEposCallsQuery(asMembers(value));
        }

        /** How many calls are listed at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListEposCallsQuery limit(Long value) {
            put("limit", value);
            return this;
        }
    }

    public static final class ListEventKindsQuery extends JsonObject {
        public ListEventKindsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListEventKindsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListEventKindsQuery of(Object value) {
            return new ListEventKindsQuery(asMembers(value));
        }

        /** True: also list the kinds that are additions to the catalogue. */
        public Boolean optIn() {
            return find("optIn", JsonObject::asBoolean);
        }

        public ListEventKindsQuery optIn(Boolean value) {
            put("optIn", value);
            return this;
        }
    }

    public static final class ListOrderPlacementsQuery extends JsonObject {
        public ListOrderPlacementsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListOrderPlacementsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListOrderPlacementsQuery of(Object value) {
            return new ListOrderPlacementsQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListOrderPlacementsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListOrderPlacementsQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListOrderPlacementsQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListPartiesQuery extends JsonObject {
        public ListPartiesQuery() {
            super(new LinkedHashMap<>());
        }

        private ListPartiesQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListPartiesQuery of(Object value) {
            return new ListPartiesQuery(asMembers(value));
        }

        /** Only the party at this table. */
        public String tableId() {
            return find("tableId", JsonObject::asText);
        }

        public ListPartiesQuery tableId(String value) {
            put("tableId", value);
            return this;
        }

        /** {@code true}: only parties that have left. {@code false}: only parties that are there. */
        public Boolean completedOnly() {
            return find("completedOnly", JsonObject::asBoolean);
        }

        public ListPartiesQuery completedOnly(Boolean value) {
            put("completedOnly", value);
            return this;
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListPartiesQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /** The cursor {@code before} of an earlier page. Cannot be sent together with {@code after}. */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListPartiesQuery before(String value) {
            put("before", value);
            return this;
        }

        /** The cursor {@code after} of an earlier page. Cannot be sent together with {@code before}. */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListPartiesQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListPaymentActivitiesQuery extends JsonObject {
        public ListPaymentActivitiesQuery() {
            super(new LinkedHashMap<>());
        }

        private ListPaymentActivitiesQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListPaymentActivitiesQuery of(Object value) {
            return new ListPaymentActivitiesQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListPaymentActivitiesQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListPaymentActivitiesQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListPaymentActivitiesQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListReconciliationDifferencesQuery extends JsonObject {
        public ListReconciliationDifferencesQuery() {
            super(new LinkedHashMap<>());
        }

        private ListReconciliationDifferencesQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListReconciliationDifferencesQuery of(Object value) {
            return new ListReconciliationDifferencesQuery(asMembers(value));
        }

        /** All when not sent. One of {@code Open}, {@code Answered}, {@code Closed}. */
        public String state() {
            return find("state", JsonObject::asText);
        }

        public ListReconciliationDifferencesQuery state(String value) {
            put("state", value);
            return this;
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListReconciliationDifferencesQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListReconciliationDifferencesQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListReconciliationDifferencesQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListRequestsQuery extends JsonObject {
        public ListRequestsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListRequestsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListRequestsQuery of(Object value) {
            return new ListRequestsQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListRequestsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListRequestsQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListRequestsQuery after(String value) {
            put("after", value);
            return this;
        }

        /** The {@code operationId}. */
        public String operation() {
            return find("operation", JsonObject::asText);
        }

        public ListRequestsQuery operation(String value) {
            put("operation", value);
            return this;
        }

        /**
         * Only requests with this outcome; all when not sent. One of {@code Succeeded}, {@code Refused}, {@code
         * Failed}.
         */
        public String outcome() {
            return find("outcome", JsonObject::asText);
        }

        public ListRequestsQuery outcome(String value) {
            put("outcome", value);
            return this;
        }

        /** Only requests that were answered with this HTTP status. */
        public Long status() {
            return find("status", JsonObject::asLong);
        }

        public ListRequestsQuery status(Long value) {
            put("status", value);
            return this;
        }

        /** Only requests with this API key ({@code key_…}). */
        public String keyId() {
            return find("keyId", JsonObject::asText);
        }

        public ListRequestsQuery keyId(String value) {
            put("keyId", value);
            return this;
        }

        /** The second part of the header {@code trace-id} of an answer. */
        public String traceId() {
            return find("traceId", JsonObject::asText);
        }

        public ListRequestsQuery traceId(String value) {
            put("traceId", value);
            return this;
        }

        /** Inclusive. */
        public String from() {
            return find("from", JsonObject::asText);
        }

        public ListRequestsQuery from(String value) {
            put("from", value);
            return this;
        }

        /** Exclusive. */
        public String to() {
            return find("to", JsonObject::asText);
        }

        public ListRequestsQuery to(String value) {
            put("to", value);
            return this;
        }
    }

    public static final class ListReservationsQuery extends JsonObject {
        public ListReservationsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListReservationsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListReservationsQuery of(Object value) {
            return new ListReservationsQuery(asMembers(value));
        }

        /** Only reservations of this table. */
        public String tableId() {
            return find("tableId", JsonObject::asText);
        }

        public ListReservationsQuery tableId(String value) {
            put("tableId", value);
            return this;
        }

        /** Only reservations that end after this time. */
        public String from() {
            return find("from", JsonObject::asText);
        }

        public ListReservationsQuery from(String value) {
            put("from", value);
            return this;
        }

        /** Only reservations that begin before this time. */
        public String to() {
            return find("to", JsonObject::asText);
        }

        public ListReservationsQuery to(String value) {
            put("to", value);
            return this;
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListReservationsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /** The cursor {@code before} of an earlier page. Cannot be sent together with {@code after}. */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListReservationsQuery before(String value) {
            put("before", value);
            return this;
        }

        /** The cursor {@code after} of an earlier page. Cannot be sent together with {@code before}. */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListReservationsQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListTableOperatorCallsQuery extends JsonObject {
        public ListTableOperatorCallsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListTableOperatorCallsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListTableOperatorCallsQuery of(Object value) {
            return new ListTableOperatorCallsQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListTableOperatorCallsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListTableOperatorCallsQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListTableOperatorCallsQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListTablesQuery extends JsonObject {
        public ListTablesQuery() {
            super(new LinkedHashMap<>());
        }

        private ListTablesQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListTablesQuery of(Object value) {
            return new ListTablesQuery(asMembers(value));
        }

        /** Only tables of this area. */
        public String areaId() {
            return find("areaId", JsonObject::asText);
        }

        public ListTablesQuery areaId(String value) {
            put("areaId", value);
            return this;
        }

        /** Only tables of this waiter. */
        public String waiterId() {
            return find("waiterId", JsonObject::asText);
        }

        public ListTablesQuery waiterId(String value) {
            put("waiterId", value);
            return this;
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListTablesQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /** The cursor {@code before} of an earlier page. Cannot be sent together with {@code after}. */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListTablesQuery before(String value) {
            put("before", value);
            return this;
        }

        /** The cursor {@code after} of an earlier page. Cannot be sent together with {@code before}. */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListTablesQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListTerminalSessionsQuery extends JsonObject {
        public ListTerminalSessionsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListTerminalSessionsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListTerminalSessionsQuery of(Object value) {
            return new ListTerminalSessionsQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListTerminalSessionsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListTerminalSessionsQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListTerminalSessionsQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ListTerminalsQuery extends JsonObject {
        public ListTerminalsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListTerminalsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListTerminalsQuery of(Object value) {
            return new ListTerminalsQuery(asMembers(value));
        }

        /** Only these; repeated or separated by commas. All when not sent. */
        public List<String> statuses() {
            return find("statuses", JsonObject.asList(JsonObject::asText));
        }

        public ListTerminalsQuery statuses(List<String> value) {
            put("statuses", value);
            return this;
        }
    }

    public static final class ListTesterRunsQuery extends JsonObject {
        public ListTesterRunsQuery() {
            super(new LinkedHashMap<>());
        }

        private ListTesterRunsQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ListTesterRunsQuery of(Object value) {
            return new ListTesterRunsQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ListTesterRunsQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ListTesterRunsQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ListTesterRunsQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class MachineReset extends JsonObject {
        public MachineReset() {
            super(new LinkedHashMap<>());
        }

        private MachineReset(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static MachineReset of(Object value) {
            return new MachineReset(asMembers(value));
        }

        /** Why; kept in the audit log. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        public MachineReset note(String value) {
            put("note", value);
            return this;
        }
    }

    public static final class MadeApiKey extends JsonObject {
        private MadeApiKey(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static MadeApiKey of(Object value) {
            return new MadeApiKey(asMembers(value));
        }

        /** Id of the record ({@code key_…}), not the key itself. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account that the key belongs to ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** Environment that every request with the key reaches. One of {@code sandbox}, {@code production}. */
        public String environment() {
            return get("environment", JsonObject::asText);
        }

        /** The name that people gave it. */
        public String label() {
            return get("label", JsonObject::asText);
        }

        /** What the key may do. A role is stored as the list it had when the key was created. */
        public List<String> permissions() {
            return get("permissions", JsonObject.asList(JsonObject::asText));
        }

        /**
         * True: requests that move money are refused with 400 if they have a member that the service does not
         * know. False: the header {@code warnings} of the answer names it. Keys of before this setting have
         * false.
         */
        public boolean strict() {
            return get("strict", JsonObject::asBoolean);
        }

        /** The first characters of its text, which name the environment. */
        public String prefix() {
            return get("prefix", JsonObject::asText);
        }

        /** The last four characters of its text, to distinguish keys. */
        public String last4() {
            return get("last4", JsonObject::asText);
        }

        /** When the key was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** To the minute. */
        public String lastUsedAt() {
            return find("lastUsedAt", JsonObject::asText);
        }

        /** The text of the key. Only this answer contains it: a repeated request does not return it again. */
        public String key() {
            return find("key", JsonObject::asText);
        }
    }

    public static final class MerchantConfig extends JsonObject {
        private MerchantConfig(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static MerchantConfig of(Object value) {
            return new MerchantConfig(asMembers(value));
        }

        /** What the account accepts, by its settings. */
        public MerchantConfigSupportedPaymentMethods supportedPaymentMethods() {
            return get("supportedPaymentMethods", MerchantConfigSupportedPaymentMethods::of);
        }
    }

    /** What the account accepts, by its settings. */
    public static final class MerchantConfigSupportedPaymentMethods extends JsonObject {
        private MerchantConfigSupportedPaymentMethods(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static MerchantConfigSupportedPaymentMethods of(Object value) {
            return new MerchantConfigSupportedPaymentMethods(asMembers(value));
        }

        /** Card schemes that the account accepts. */
        public List<String> cardSchemes() {
            return get("cardSchemes", JsonObject.asList(JsonObject::asText));
        }

        /** Wallets that the account accepts; empty when it accepts none. */
        public List<String> wallets() {
            return get("wallets", JsonObject.asList(JsonObject::asText));
        }
    }

    /** Counts per single item of its line; a negative amount is a discount. */
    public static final class Modifier extends JsonObject {
        private Modifier(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Modifier of(Object value) {
            return new Modifier(asMembers(value));
        }

        /** The integrator’s or EPOS’s id of the modifier. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Text of the modifier on the bill, such as “extra cheese”. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** How many of the modifier one item has. The line has this number times its own quantity. */
        public long quantity() {
            return get("quantity", JsonObject::asLong);
        }

        /** Price of one modifier; negative for a discount. */
        public Money amountPerModifier() {
            return get("amountPerModifier", Money::of);
        }
    }

    public static final class Money extends JsonObject {
        private Money(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Money of(Object value) {
            return new Money(asMembers(value));
        }

        /** Whole minor units (pence, cents). */
        public long value() {
            return get("value", JsonObject::asLong);
        }

        /** ISO 4217. */
        public String currencyCode() {
            return get("currencyCode", JsonObject::asText);
        }
    }

    public static final class NewActionLink extends JsonObject {
        public NewActionLink() {
            super(new LinkedHashMap<>());
        }

        private NewActionLink(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewActionLink of(Object value) {
            return new NewActionLink(asMembers(value));
        }

        /** Absolute address that the link opens. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        public NewActionLink url(String value) {
            put("url", value);
            return this;
        }

        /** Text of the link for the payer. */
        public String label() {
            return get("label", JsonObject::asText);
        }

        public NewActionLink label(String value) {
            put("label", value);
            return this;
        }

        /** Name of the saved file when {@code action} is {@code DownloadFile}. */
        public String fileName() {
            return find("fileName", JsonObject::asText);
        }

        public NewActionLink fileName(String value) {
            put("fileName", value);
            return this;
        }

        /**
         * {@code OpenLink} opens the address; {@code DownloadFile} saves what it returns. {@code OpenLink} when
         * not sent. One of {@code OpenLink}, {@code DownloadFile}.
         */
        public String action() {
            return find("action", JsonObject::asText);
        }

        public NewActionLink action(String value) {
            put("action", value);
            return this;
        }
    }

    public static final class NewAmount extends JsonObject {
        public NewAmount() {
            super(new LinkedHashMap<>());
        }

        private NewAmount(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewAmount of(Object value) {
            return new NewAmount(asMembers(value));
        }

        /** The new price, in the currency of the payment. At least 1. */
        public PayableAmount amount() {
            return get("amount", PayableAmount::of);
        }

        public NewAmount amount(PayableAmount value) {
            put("amount", value);
            return this;
        }

        /** Replace the old ones when sent. */
        public List<NewItemLine> itemLines() {
            return find("itemLines", JsonObject.asList(NewItemLine::of));
        }

        public NewAmount itemLines(List<NewItemLine> value) {
            put("itemLines", value);
            return this;
        }

        /** Replace the old ones when sent. */
        public List<NewTaxLine> taxLines() {
            return find("taxLines", JsonObject.asList(NewTaxLine::of));
        }

        public NewAmount taxLines(List<NewTaxLine> value) {
            put("taxLines", value);
            return this;
        }
    }

    public static final class NewApiKey extends JsonObject {
        public NewApiKey() {
            super(new LinkedHashMap<>());
        }

        private NewApiKey(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewApiKey of(Object value) {
            return new NewApiKey(asMembers(value));
        }

        /** A name by which people recognise the key, such as the machine that uses it. */
        public String label() {
            return get("label", JsonObject::asText);
        }

        public NewApiKey label(String value) {
            put("label", value);
            return this;
        }

        /** What the key may do. Exactly one of {@code permissions} and {@code role} must be sent. */
        public List<String> permissions() {
            return find("permissions", JsonObject.asList(JsonObject::asText));
        }

        public NewApiKey permissions(List<String> value) {
            put("permissions", value);
            return this;
        }

        /**
         * Whether requests that move money are refused if they have an unknown member, such as a misspelt {@code
         * captureMode}. True when not sent.
         */
        public Boolean strict() {
            return find("strict", JsonObject::asBoolean);
        }

        public NewApiKey strict(Boolean value) {
            put("strict", value);
            return this;
        }

        /**
         * Instead of {@code permissions}: the list the role has today. One of {@code full}, {@code read-only},
         * {@code terminal-only}, {@code webhooks-only}, {@code epos-only}, {@code gateway}, {@code
         * machines-only}, {@code pci}.
         */
        public String role() {
            return find("role", JsonObject::asText);
        }

        public NewApiKey role(String value) {
            put("role", value);
            return this;
        }
    }

    public static final class NewCapture extends JsonObject {
        public NewCapture() {
            super(new LinkedHashMap<>());
        }

        private NewCapture(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCapture of(Object value) {
            return new NewCapture(asMembers(value));
        }

        /** Minor units in the currency of the payment. */
        public long amount() {
            return get("amount", JsonObject::asLong);
        }

        public NewCapture amount(long value) {
            put("amount", value);
            return this;
        }

        /** Minor units, taken on top of the amount. */
        public Long tipsAmount() {
            return find("tipsAmount", JsonObject::asLong);
        }

        public NewCapture tipsAmount(Long value) {
            put("tipsAmount", value);
            return this;
        }
    }

    /** What the hosted page displays and requires. */
    public static final class NewCheckoutConfig extends JsonObject {
        public NewCheckoutConfig() {
            super(new LinkedHashMap<>());
        }

        private NewCheckoutConfig(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCheckoutConfig of(Object value) {
            return new NewCheckoutConfig(asMembers(value));
        }

        /** Heading of the payment page and title of its tab; the page has words of its own when not sent. */
        public String title() {
            return find("title", JsonObject::asText);
        }

        public NewCheckoutConfig title(String value) {
            put("title", value);
            return this;
        }

        /**
         * Where the page sends the payer after the payment, with {@code id} of the intent in the query. Without
         * it the page displays the result.
         */
        public String redirectUrl() {
            return find("redirectUrl", JsonObject::asText);
        }

        public NewCheckoutConfig redirectUrl(String value) {
            put("redirectUrl", value);
            return this;
        }

        /**
         * Where the page sends a payer who leaves without paying, with {@code id} of the intent in the query.
         * The intent stays unchanged.
         */
        public String cancelUrl() {
            return find("cancelUrl", JsonObject::asText);
        }

        public NewCheckoutConfig cancelUrl(String value) {
            put("cancelUrl", value);
            return this;
        }

        /** Whether the page asks for an e-mail address. */
        public NewCheckoutConfigCustomerEmail customerEmail() {
            return find("customerEmail", NewCheckoutConfigCustomerEmail::of);
        }

        public NewCheckoutConfig customerEmail(NewCheckoutConfigCustomerEmail value) {
            put("customerEmail", value);
            return this;
        }

        /** Whether the page asks for the billing address. */
        public NewCheckoutConfigBillingAddress billingAddress() {
            return find("billingAddress", NewCheckoutConfigBillingAddress::of);
        }

        public NewCheckoutConfig billingAddress(NewCheckoutConfigBillingAddress value) {
            put("billingAddress", value);
            return this;
        }

        /** Whether the page asks for a delivery address. */
        public NewCheckoutConfigShippingDetails shippingDetails() {
            return find("shippingDetails", NewCheckoutConfigShippingDetails::of);
        }

        public NewCheckoutConfig shippingDetails(NewCheckoutConfigShippingDetails value) {
            put("shippingDetails", value);
            return this;
        }

        /** What the page displays about the payment. */
        public NewCheckoutConfigDetails details() {
            return find("details", NewCheckoutConfigDetails::of);
        }

        public NewCheckoutConfig details(NewCheckoutConfigDetails value) {
            put("details", value);
            return this;
        }

        /** Which amounts may change before the payment. */
        public NewCheckoutConfigPayment payment() {
            return find("payment", NewCheckoutConfigPayment::of);
        }

        public NewCheckoutConfig payment(NewCheckoutConfigPayment value) {
            put("payment", value);
            return this;
        }
    }

    /** Whether the page asks for the billing address. */
    public static final class NewCheckoutConfigBillingAddress extends JsonObject {
        public NewCheckoutConfigBillingAddress() {
            super(new LinkedHashMap<>());
        }

        private NewCheckoutConfigBillingAddress(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCheckoutConfigBillingAddress of(Object value) {
            return new NewCheckoutConfigBillingAddress(asMembers(value));
        }

        /** True: the payer must enter a billing address to pay. */
        public Boolean collectionRequired() {
            return find("collectionRequired", JsonObject::asBoolean);
        }

        public NewCheckoutConfigBillingAddress collectionRequired(Boolean value) {
            put("collectionRequired", value);
            return this;
        }
    }

    /** Whether the page asks for an e-mail address. */
    public static final class NewCheckoutConfigCustomerEmail extends JsonObject {
        public NewCheckoutConfigCustomerEmail() {
            super(new LinkedHashMap<>());
        }

        private NewCheckoutConfigCustomerEmail(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCheckoutConfigCustomerEmail of(Object value) {
            return new NewCheckoutConfigCustomerEmail(asMembers(value));
        }

        /** True: the payer must enter an e-mail address to pay. */
        public Boolean collectionRequired() {
            return find("collectionRequired", JsonObject::asBoolean);
        }

        public NewCheckoutConfigCustomerEmail collectionRequired(Boolean value) {
            put("collectionRequired", value);
            return this;
        }
    }

    /** What the page displays about the payment. */
    public static final class NewCheckoutConfigDetails extends JsonObject {
        public NewCheckoutConfigDetails() {
            super(new LinkedHashMap<>());
        }

        private NewCheckoutConfigDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCheckoutConfigDetails of(Object value) {
            return new NewCheckoutConfigDetails(asMembers(value));
        }

        /** True: the page displays the total. */
        public Boolean showTotal() {
            return find("showTotal", JsonObject::asBoolean);
        }

        public NewCheckoutConfigDetails showTotal(Boolean value) {
            put("showTotal", value);
            return this;
        }

        /** True: the page displays {@code reference}. */
        public Boolean showReference() {
            return find("showReference", JsonObject::asBoolean);
        }

        public NewCheckoutConfigDetails showReference(Boolean value) {
            put("showReference", value);
            return this;
        }
    }

    /** Which amounts may change before the payment. */
    public static final class NewCheckoutConfigPayment extends JsonObject {
        public NewCheckoutConfigPayment() {
            super(new LinkedHashMap<>());
        }

        private NewCheckoutConfigPayment(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCheckoutConfigPayment of(Object value) {
            return new NewCheckoutConfigPayment(asMembers(value));
        }

        /**
         * True: the amount can be changed before the payment, by you and by everybody who has the link;
         * otherwise the operations for it answer 405. It also permits what {@code holdRaiseAllowed} permits.
         */
        public Boolean customAmountAllowed() {
            return find("customAmountAllowed", JsonObject::asBoolean);
        }

        public NewCheckoutConfigPayment customAmountAllowed(Boolean value) {
            put("customAmountAllowed", value);
            return this;
        }

        /** True: the tip can be changed by the operation for it; otherwise that answers 405. */
        public Boolean tipsAllowed() {
            return find("tipsAllowed", JsonObject::asBoolean);
        }

        public NewCheckoutConfigPayment tipsAllowed(Boolean value) {
            put("tipsAllowed", value);
            return this;
        }

        /**
         * True: your key can raise the amount while the payment is held. Payers cannot change it; without it,
         * and without {@code customAmountAllowed}, the operation answers 405.
         */
        public Boolean holdRaiseAllowed() {
            return find("holdRaiseAllowed", JsonObject::asBoolean);
        }

        public NewCheckoutConfigPayment holdRaiseAllowed(Boolean value) {
            put("holdRaiseAllowed", value);
            return this;
        }
    }

    /** Whether the page asks for a delivery address. */
    public static final class NewCheckoutConfigShippingDetails extends JsonObject {
        public NewCheckoutConfigShippingDetails() {
            super(new LinkedHashMap<>());
        }

        private NewCheckoutConfigShippingDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCheckoutConfigShippingDetails of(Object value) {
            return new NewCheckoutConfigShippingDetails(asMembers(value));
        }

        /** True: the payer must enter delivery details to pay. */
        public Boolean collectionRequired() {
            return find("collectionRequired", JsonObject::asBoolean);
        }

        public NewCheckoutConfigShippingDetails collectionRequired(Boolean value) {
            put("collectionRequired", value);
            return this;
        }
    }

    public static final class NewCustomer extends JsonObject {
        public NewCustomer() {
            super(new LinkedHashMap<>());
        }

        private NewCustomer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewCustomer of(Object value) {
            return new NewCustomer(asMembers(value));
        }

        /** Name of the person or company. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public NewCustomer name(String value) {
            put("name", value);
            return this;
        }

        /** E-mail address of the customer. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        public NewCustomer emailAddress(String value) {
            put("emailAddress", value);
            return this;
        }

        /** Phone number of the customer, 5 to 50 characters. */
        public String phoneNumber() {
            return find("phoneNumber", JsonObject::asText);
        }

        public NewCustomer phoneNumber(String value) {
            put("phoneNumber", value);
            return this;
        }

        /** Number under which a company is registered for VAT. */
        public String vatNumber() {
            return find("vatNumber", JsonObject::asText);
        }

        public NewCustomer vatNumber(String value) {
            put("vatNumber", value);
            return this;
        }

        /** Address of invoices. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        public NewCustomer billingAddress(Address value) {
            put("billingAddress", value);
            return this;
        }

        /** Address of deliveries. */
        public Address shippingAddress() {
            return find("shippingAddress", Address::of);
        }

        public NewCustomer shippingAddress(Address value) {
            put("shippingAddress", value);
            return this;
        }
    }

    public static final class NewDeliveryLink extends JsonObject {
        public NewDeliveryLink() {
            super(new LinkedHashMap<>());
        }

        private NewDeliveryLink(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewDeliveryLink of(Object value) {
            return new NewDeliveryLink(asMembers(value));
        }

        /** Only deliveries of events about this payment ({@code pi_…}); all of the subscription when not sent. */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        public NewDeliveryLink paymentIntentId(String value) {
            put("paymentIntentId", value);
            return this;
        }

        /** Origins of the pages that may embed the page, 5 at most; without one, no page may. */
        public List<String> frameAncestors() {
            return find("frameAncestors", JsonObject.asList(JsonObject::asText));
        }

        public NewDeliveryLink frameAncestors(List<String> value) {
            put("frameAncestors", value);
            return this;
        }

        /** How long the link can be opened, one hour at most; 15 minutes when not sent. */
        public String expiresIn() {
            return find("expiresIn", JsonObject::asText);
        }

        public NewDeliveryLink expiresIn(String value) {
            put("expiresIn", value);
            return this;
        }
    }

    /** Sent to the EPOS as HTTP Basic, base64 of {@code username:password}. */
    public static final class NewEposAuth extends JsonObject {
        public NewEposAuth() {
            super(new LinkedHashMap<>());
        }

        private NewEposAuth(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewEposAuth of(Object value) {
            return new NewEposAuth(asMembers(value));
        }

        /** Always {@code basic}: HTTP Basic authentication. One of {@code basic}. */
        public String authType() {
            return get("authType", JsonObject::asText);
        }

        public NewEposAuth authType(String value) {
            put("authType", value);
            return this;
        }

        /** The credentials that the EPOS expects. */
        public NewEposAuthBasic basic() {
            return get("basic", NewEposAuthBasic::of);
        }

        public NewEposAuth basic(NewEposAuthBasic value) {
            put("basic", value);
            return this;
        }
    }

    /** The credentials that the EPOS expects. */
    public static final class NewEposAuthBasic extends JsonObject {
        public NewEposAuthBasic() {
            super(new LinkedHashMap<>());
        }

        private NewEposAuthBasic(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewEposAuthBasic of(Object value) {
            return new NewEposAuthBasic(asMembers(value));
        }

        /** User name that the service sends to the EPOS; without a colon. */
        public String username() {
            return get("username", JsonObject::asText);
        }

        public NewEposAuthBasic username(String value) {
            put("username", value);
            return this;
        }

        /** Password that the service sends to the EPOS. Stored encrypted and never returned. */
        public String password() {
            return get("password", JsonObject::asText);
        }

        public NewEposAuthBasic password(String value) {
            put("password", value);
            return this;
        }
    }

    public static final class NewEposCapability extends JsonObject {
        public NewEposCapability() {
            super(new LinkedHashMap<>());
        }

        private NewEposCapability(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewEposCapability of(Object value) {
            return new NewEposCapability(asMembers(value));
        }

        /**
         * Name of the capability or one of its synonyms. One of {@code ListAreas}, {@code SearchTables}, {@code
         * CreateOrder}, {@code GetOrderById}, {@code CancelOrderById}, {@code SearchOrders}, {@code
         * CreateOrderLock}, {@code ExtendOrderLock}, {@code DeleteOrderLock}, {@code GetOrderBillById}, {@code
         * RecordOrderPaymentById}, {@code CreateParty}, {@code GetPartyById}, {@code UpdateParty}, {@code
         * DeletePartyById}, {@code SearchParties}, {@code CreateReservation}, {@code GetReservationById}, {@code
         * UpdateReservation}, {@code DeleteReservationById}, {@code SearchReservations}, {@code
         * HandleEvent:payment_intent.created}, {@code HandleEvent:payment_intent.status_updated}, {@code
         * GetOrderBill}, {@code RecordOrderPayment}, {@code UpdatePartyById}, {@code UpdateReservationById}.
         */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public NewEposCapability name(String value) {
            put("name", value);
            return this;
        }

        /** Version of the capability; both spellings mean the same. One of {@code v1}, {@code 1.0.0}. */
        public String version() {
            return get("version", JsonObject::asText);
        }

        public NewEposCapability version(String value) {
            put("version", value);
            return this;
        }
    }

    public static final class NewEposEvent extends JsonObject {
        public NewEposEvent() {
            super(new LinkedHashMap<>());
        }

        private NewEposEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewEposEvent of(Object value) {
            return new NewEposEvent(asMembers(value));
        }

        /**
         * What has changed at the EPOS; decides which id {@code event} has. One of {@code OrderUpdated}, {@code
         * PartyUpdated}, {@code ReservationUpdated}.
         */
        public String eventType() {
            return get("eventType", JsonObject::asText);
        }

        public NewEposEvent eventType(String value) {
            put("eventType", value);
            return this;
        }

        /** The id of what has changed. */
        public NewEposEventEvent event() {
            return get("event", NewEposEventEvent::of);
        }

        public NewEposEvent event(NewEposEventEvent value) {
            put("event", value);
            return this;
        }
    }

    /** The id of what has changed. */
    public static final class NewEposEventEvent extends JsonObject {
        public NewEposEventEvent() {
            super(new LinkedHashMap<>());
        }

        private NewEposEventEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewEposEventEvent of(Object value) {
            return new NewEposEventEvent(asMembers(value));
        }

        /** Id of the order at the EPOS. */
        public String orderId() {
            return find("orderId", JsonObject::asText);
        }

        public NewEposEventEvent orderId(String value) {
            put("orderId", value);
            return this;
        }

        /** Id of the party at the EPOS. */
        public String partyId() {
            return find("partyId", JsonObject::asText);
        }

        public NewEposEventEvent partyId(String value) {
            put("partyId", value);
            return this;
        }

        /** Id of the reservation at the EPOS. */
        public String reservationId() {
            return find("reservationId", JsonObject::asText);
        }

        public NewEposEventEvent reservationId(String value) {
            put("reservationId", value);
            return this;
        }
    }

    public static final class NewGrpcIntegration extends JsonObject {
        public NewGrpcIntegration() {
            super(new LinkedHashMap<>());
        }

        private NewGrpcIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewGrpcIntegration of(Object value) {
            return new NewGrpcIntegration(asMembers(value));
        }

        /** Address at which the EPOS serves gRPC, as {@code https://host:port}, without a path. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        public NewGrpcIntegration url(String value) {
            put("url", value);
            return this;
        }

        /** How the service authenticates itself at the EPOS. */
        public NewEposAuth auth() {
            return get("auth", NewEposAuth::of);
        }

        public NewGrpcIntegration auth(NewEposAuth value) {
            put("auth", value);
            return this;
        }
    }

    public static final class NewIntentCustomer extends JsonObject {
        public NewIntentCustomer() {
            super(new LinkedHashMap<>());
        }

        private NewIntentCustomer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewIntentCustomer of(Object value) {
            return new NewIntentCustomer(asMembers(value));
        }

        /** Also read as {@code customerId}. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        public NewIntentCustomer id(String value) {
            put("id", value);
            return this;
        }

        /** E-mail address of the payer. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }

        public NewIntentCustomer emailAddress(String value) {
            put("emailAddress", value);
            return this;
        }

        /** Phone number of the payer. */
        public String phoneNumber() {
            return find("phoneNumber", JsonObject::asText);
        }

        public NewIntentCustomer phoneNumber(String value) {
            put("phoneNumber", value);
            return this;
        }

        /** A customer secret: the hosted page offers saved cards. Needs {@code id} and the method SavedCard. */
        public String secret() {
            return find("secret", JsonObject::asText);
        }

        public NewIntentCustomer secret(String value) {
            put("secret", value);
            return this;
        }

        /** The saved card to offer first. */
        public String savedCardId() {
            return find("savedCardId", JsonObject::asText);
        }

        public NewIntentCustomer savedCardId(String value) {
            put("savedCardId", value);
            return this;
        }
    }

    public static final class NewItemLine extends JsonObject {
        public NewItemLine() {
            super(new LinkedHashMap<>());
        }

        private NewItemLine(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewItemLine of(Object value) {
            return new NewItemLine(asMembers(value));
        }

        /** The integrator’s or EPOS’s id of the line. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        public NewItemLine id(String value) {
            put("id", value);
            return this;
        }

        /** Text of the line on the payment page and the receipt. Requests may send it as {@code name}. */
        public String caption() {
            return find("caption", JsonObject::asText);
        }

        public NewItemLine caption(String value) {
            put("caption", value);
            return this;
        }

        /** Group of the item, such as “drinks”. */
        public String category() {
            return find("category", JsonObject::asText);
        }

        public NewItemLine category(String value) {
            put("category", value);
            return this;
        }

        /** Price look-up number: the item in the catalogue of the EPOS. */
        public String plu() {
            return find("plu", JsonObject::asText);
        }

        public NewItemLine plu(String value) {
            put("plu", value);
            return this;
        }

        /** How many of the item the line has; negative for returned items. 1 when not sent. */
        public Long quantity() {
            return find("quantity", JsonObject::asLong);
        }

        public NewItemLine quantity(Long value) {
            put("quantity", value);
            return this;
        }

        /**
         * Price of the whole line before discounts and taxes, without modifiers. Never checked against the
         * amount of the payment.
         */
        public PriceAmount amountTotal() {
            return get("amountTotal", PriceAmount::of);
        }

        public NewItemLine amountTotal(PriceAmount value) {
            put("amountTotal", value);
            return this;
        }

        /** Changes to the item that have a price of their own. */
        public List<NewModifier> modifiers() {
            return find("modifiers", JsonObject.asList(NewModifier::of));
        }

        public NewItemLine modifiers(List<NewModifier> value) {
            put("modifiers", value);
            return this;
        }
    }

    public static final class NewModifier extends JsonObject {
        public NewModifier() {
            super(new LinkedHashMap<>());
        }

        private NewModifier(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewModifier of(Object value) {
            return new NewModifier(asMembers(value));
        }

        /** The integrator’s or EPOS’s id of the modifier. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        public NewModifier id(String value) {
            put("id", value);
            return this;
        }

        /** Text of the modifier on the bill, such as “extra cheese”. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public NewModifier name(String value) {
            put("name", value);
            return this;
        }

        /** How many of the modifier one item has. The line has this number times its own quantity. */
        public long quantity() {
            return get("quantity", JsonObject::asLong);
        }

        public NewModifier quantity(long value) {
            put("quantity", value);
            return this;
        }

        /** Price of one modifier; negative for a discount. */
        public PriceAmount amountPerModifier() {
            return get("amountPerModifier", PriceAmount::of);
        }

        public NewModifier amountPerModifier(PriceAmount value) {
            put("amountPerModifier", value);
            return this;
        }
    }

    public static final class NewOrderDetails extends JsonObject {
        public NewOrderDetails() {
            super(new LinkedHashMap<>());
        }

        private NewOrderDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewOrderDetails of(Object value) {
            return new NewOrderDetails(asMembers(value));
        }

        /** When the order is ready to be collected or served. */
        public String availabilityDate() {
            return find("availabilityDate", JsonObject::asText);
        }

        public NewOrderDetails availabilityDate(String value) {
            put("availabilityDate", value);
            return this;
        }

        /** True if the payment belongs to a change of an order that exists already. */
        public Boolean isUpdate() {
            return find("isUpdate", JsonObject::asBoolean);
        }

        public NewOrderDetails isUpdate(Boolean value) {
            put("isUpdate", value);
            return this;
        }

        /** The order's id in the service. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        public NewOrderDetails id(String value) {
            put("id", value);
            return this;
        }

        /** The order's id in the EPOS. */
        public String externalId() {
            return find("externalId", JsonObject::asText);
        }

        public NewOrderDetails externalId(String value) {
            put("externalId", value);
            return this;
        }
    }

    public static final class NewOrderPlacement extends JsonObject {
        public NewOrderPlacement() {
            super(new LinkedHashMap<>());
        }

        private NewOrderPlacement(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewOrderPlacement of(Object value) {
            return new NewOrderPlacement(asMembers(value));
        }

        /**
         * A payment intent with the capture mode {@code Manual}, its amount and service charge together the
         * {@code totalAmount} of the order.
         */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        public NewOrderPlacement paymentIntentId(String value) {
            put("paymentIntentId", value);
            return this;
        }

        /** The order to create at the EPOS once it is paid. */
        public PlacedOrder order() {
            return get("order", PlacedOrder::of);
        }

        public NewOrderPlacement order(PlacedOrder value) {
            put("order", value);
            return this;
        }
    }

    public static final class NewParty extends JsonObject {
        public NewParty() {
            super(new LinkedHashMap<>());
        }

        private NewParty(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewParty of(Object value) {
            return new NewParty(asMembers(value));
        }

        /** Ids of the tables of the party, at least one. A table has one party at a time. */
        public List<String> tableIds() {
            return get("tableIds", JsonObject.asList(JsonObject::asText));
        }

        public NewParty tableIds(List<String> value) {
            put("tableIds", value);
            return this;
        }

        /** When the party arrives or has arrived. */
        public String startTime() {
            return get("startTime", JsonObject::asText);
        }

        public NewParty startTime(String value) {
            put("startTime", value);
            return this;
        }

        /** When the party is expected to leave. */
        public String expectedEndTime() {
            return find("expectedEndTime", JsonObject::asText);
        }

        public NewParty expectedEndTime(String value) {
            put("expectedEndTime", value);
            return this;
        }

        /** Name under which the party is known. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public NewParty name(String value) {
            put("name", value);
            return this;
        }

        /** How many people the party has. */
        public Long covers() {
            return find("covers", JsonObject::asLong);
        }

        public NewParty covers(Long value) {
            put("covers", value);
            return this;
        }

        /** Notes of the staff, which guests never see. */
        public String hostNotes() {
            return find("hostNotes", JsonObject::asText);
        }

        public NewParty hostNotes(String value) {
            put("hostNotes", value);
            return this;
        }

        /** The guest's words; the EPOS does not edit them. */
        public String guestRequests() {
            return find("guestRequests", JsonObject::asText);
        }

        public NewParty guestRequests(String value) {
            put("guestRequests", value);
            return this;
        }

        /** What was paid for the booking in advance. */
        public NewPartyDeposit deposit() {
            return find("deposit", NewPartyDeposit::of);
        }

        public NewParty deposit(NewPartyDeposit value) {
            put("deposit", value);
            return this;
        }

        /** Status of the party, in words of the EPOS. */
        public String status() {
            return find("status", JsonObject::asText);
        }

        public NewParty status(String value) {
            put("status", value);
            return this;
        }

        /** Id of the reservation at the EPOS that the party has come for. */
        public String reservationId() {
            return find("reservationId", JsonObject::asText);
        }

        public NewParty reservationId(String value) {
            put("reservationId", value);
            return this;
        }
    }

    /** What was paid for the booking in advance. The service checks the payments before it tells the EPOS. */
    public static final class NewPartyDeposit extends JsonObject {
        public NewPartyDeposit() {
            super(new LinkedHashMap<>());
        }

        private NewPartyDeposit(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewPartyDeposit of(Object value) {
            return new NewPartyDeposit(asMembers(value));
        }

        /** The sum of the deposit. Must not exceed what the payment intents hold or have captured, less refunds. */
        public PayableAmount totalAmount() {
            return get("totalAmount", PayableAmount::of);
        }

        public NewPartyDeposit totalAmount(PayableAmount value) {
            put("totalAmount", value);
            return this;
        }

        /**
         * Ids of the paid payment intents of this account, all of which have money. A payment is the deposit of
         * one party, and pays no bill.
         */
        public List<String> paymentIntentIds() {
            return get("paymentIntentIds", JsonObject.asList(JsonObject::asText));
        }

        public NewPartyDeposit paymentIntentIds(List<String> value) {
            put("paymentIntentIds", value);
            return this;
        }

        /** Text about the deposit, for staff. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        public NewPartyDeposit description(String value) {
            put("description", value);
            return this;
        }
    }

    public static final class NewPaymentIntent extends JsonObject {
        public NewPaymentIntent() {
            super(new LinkedHashMap<>());
        }

        private NewPaymentIntent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewPaymentIntent of(Object value) {
            return new NewPaymentIntent(asMembers(value));
        }

        /** The price to collect, without tip, cashback and service charge. */
        public PayableAmount amount() {
            return get("amount", PayableAmount::of);
        }

        public NewPaymentIntent amount(PayableAmount value) {
            put("amount", value);
            return this;
        }

        /** The integrator’s own reference, such as a bill number. Appears in listings; need not be unique. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        public NewPaymentIntent reference(String value) {
            put("reference", value);
            return this;
        }

        /**
         * {@code Auto} takes the money at once; {@code Manual} holds it for captures. {@code Auto} when not
         * sent. One of {@code Auto}, {@code Manual}.
         */
        public String captureMode() {
            return find("captureMode", JsonObject::asText);
        }

        public NewPaymentIntent captureMode(String value) {
            put("captureMode", value);
            return this;
        }

        /** Text about the payment for the payer and for reports. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        public NewPaymentIntent description(String value) {
            put("description", value);
            return this;
        }

        /** Tip that is collected on top of {@code amount}. */
        public SurplusAmount tipsAmount() {
            return find("tipsAmount", SurplusAmount::of);
        }

        public NewPaymentIntent tipsAmount(SurplusAmount value) {
            put("tipsAmount", value);
            return this;
        }

        /** Cash for the payer, collected on top of {@code amount}. */
        public SurplusAmount cashbackAmount() {
            return find("cashbackAmount", SurplusAmount::of);
        }

        public NewPaymentIntent cashbackAmount(SurplusAmount value) {
            put("cashbackAmount", value);
            return this;
        }

        /** Service charge, collected on top of {@code amount}. */
        public SurplusAmount serviceChargeAmount() {
            return find("serviceChargeAmount", SurplusAmount::of);
        }

        public NewPaymentIntent serviceChargeAmount(SurplusAmount value) {
            put("serviceChargeAmount", value);
            return this;
        }

        /** The payer, as far as they are known. */
        public NewIntentCustomer customer() {
            return find("customer", NewIntentCustomer::of);
        }

        public NewPaymentIntent customer(NewIntentCustomer value) {
            put("customer", value);
            return this;
        }

        /** True: the card is keyed in without the cardholder. Also read as {@code transactionSource: "MOTO"}. */
        public Boolean cardHolderNotPresent() {
            return find("cardHolderNotPresent", JsonObject::asBoolean);
        }

        public NewPaymentIntent cardHolderNotPresent(Boolean value) {
            put("cardHolderNotPresent", value);
            return this;
        }

        /** How the payer may pay online; {@code ["Card"]} when not sent. */
        public List<String> paymentMethods() {
            return find("paymentMethods", JsonObject.asList(JsonObject::asText));
        }

        public NewPaymentIntent paymentMethods(List<String> value) {
            put("paymentMethods", value);
            return this;
        }

        /** Address of the invoice; issuers compare it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        public NewPaymentIntent billingAddress(Address value) {
            put("billingAddress", value);
            return this;
        }

        /** Where the goods go. */
        public ShippingDetails shippingDetails() {
            return find("shippingDetails", ShippingDetails::of);
        }

        public NewPaymentIntent shippingDetails(ShippingDetails value) {
            put("shippingDetails", value);
            return this;
        }

        /** The device from which the payer orders; helps to detect fraud. */
        public RequestSecurity requestSecurity() {
            return find("requestSecurity", RequestSecurity::of);
        }

        public NewPaymentIntent requestSecurity(RequestSecurity value) {
            put("requestSecurity", value);
            return this;
        }

        /** What is paid, line by line. The sum need not be the amount. */
        public List<NewItemLine> itemLines() {
            return find("itemLines", JsonObject.asList(NewItemLine::of));
        }

        public NewPaymentIntent itemLines(List<NewItemLine> value) {
            put("itemLines", value);
            return this;
        }

        /** Taxes within the amount. */
        public List<NewTaxLine> taxLines() {
            return find("taxLines", JsonObject.asList(NewTaxLine::of));
        }

        public NewPaymentIntent taxLines(List<NewTaxLine> value) {
            put("taxLines", value);
            return this;
        }

        /** A link for the payer that belongs to the payment; stored and returned as it is. */
        public NewActionLink actionLink() {
            return find("actionLink", NewActionLink::of);
        }

        public NewPaymentIntent actionLink(NewActionLink value) {
            put("actionLink", value);
            return this;
        }

        /** The order that is paid. */
        public NewOrderDetails orderDetails() {
            return find("orderDetails", NewOrderDetails::of);
        }

        public NewPaymentIntent orderDetails(NewOrderDetails value) {
            put("orderDetails", value);
            return this;
        }

        /** What the hosted payment page displays and requires. */
        public NewCheckoutConfig config() {
            return find("config", NewCheckoutConfig::of);
        }

        public NewPaymentIntent config(NewCheckoutConfig value) {
            put("config", value);
            return this;
        }

        /** In the future; 30 days from now when not sent. */
        public String expireAt() {
            return find("expireAt", JsonObject::asText);
        }

        public NewPaymentIntent expireAt(String value) {
            put("expireAt", value);
            return this;
        }

        /** Manual only: how long an authorisation is held. More than 30 seconds, less than 7 days. */
        public String autoExpireIn() {
            return find("autoExpireIn", JsonObject::asText);
        }

        public NewPaymentIntent autoExpireIn(String value) {
            put("autoExpireIn", value);
            return this;
        }

        /** Manual only; Release when not sent. One of {@code Release}, {@code Capture}. */
        public String autoExpireAction() {
            return find("autoExpireAction", JsonObject::asText);
        }

        public NewPaymentIntent autoExpireAction(String value) {
            put("autoExpireAction", value);
            return this;
        }

        /** At most 16 KiB as JSON. */
        public Map<String, Object> metadata() {
            return find("metadata", JsonObject.asMap(JsonObject::asIs));
        }

        public NewPaymentIntent metadata(Map<String, Object> value) {
            put("metadata", value);
            return this;
        }

        /**
         * Id of an Authorized setup intent whose card is charged by the charge operation. Not with {@code
         * Manual}.
         */
        public String setupIntentId() {
            return find("setupIntentId", JsonObject::asText);
        }

        public NewPaymentIntent setupIntentId(String value) {
            put("setupIntentId", value);
            return this;
        }

        /**
         * False: no client secret until it is refreshed. True: a secret at once, or 403 without the permission
         * {@code payments.online}. Not sent: a secret if the key may.
         */
        public Boolean generateRemoteToken() {
            return find("generateRemoteToken", JsonObject::asBoolean);
        }

        public NewPaymentIntent generateRemoteToken(Boolean value) {
            put("generateRemoteToken", value);
            return this;
        }

        /**
         * True: the answer has {@code paymentLink} even if the account or key may not take payments online; it
         * then has no client secret.
         */
        public Boolean isNotOnlineCheckout() {
            return find("isNotOnlineCheckout", JsonObject::asBoolean);
        }

        public NewPaymentIntent isNotOnlineCheckout(Boolean value) {
            put("isNotOnlineCheckout", value);
            return this;
        }
    }

    public static final class NewPublicAmount extends JsonObject {
        public NewPublicAmount() {
            super(new LinkedHashMap<>());
        }

        private NewPublicAmount(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewPublicAmount of(Object value) {
            return new NewPublicAmount(asMembers(value));
        }

        /** The amount that the payer chooses, in the currency of the payment. */
        public PayableAmount amount() {
            return get("amount", PayableAmount::of);
        }

        public NewPublicAmount amount(PayableAmount value) {
            put("amount", value);
            return this;
        }
    }

    public static final class NewRefund extends JsonObject {
        public NewRefund() {
            super(new LinkedHashMap<>());
        }

        private NewRefund(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewRefund of(Object value) {
            return new NewRefund(asMembers(value));
        }

        /** Minor units in the currency of the payment. */
        public long amount() {
            return get("amount", JsonObject::asLong);
        }

        public NewRefund amount(long value) {
            put("amount", value);
            return this;
        }

        /** Why the money is returned; returned with the refund. */
        public String refundReason() {
            return find("refundReason", JsonObject::asText);
        }

        public NewRefund refundReason(String value) {
            put("refundReason", value);
            return this;
        }

        /** Further notes of the integrator; returned with the refund. */
        public String notes() {
            return find("notes", JsonObject::asText);
        }

        public NewRefund notes(String value) {
            put("notes", value);
            return this;
        }

        /** The integrator’s reference of the transaction that the refund belongs to; stored and not interpreted. */
        public String previousTransactionId() {
            return find("previousTransactionId", JsonObject::asText);
        }

        public NewRefund previousTransactionId(String value) {
            put("previousTransactionId", value);
            return this;
        }
    }

    public static final class NewReservation extends JsonObject {
        public NewReservation() {
            super(new LinkedHashMap<>());
        }

        private NewReservation(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewReservation of(Object value) {
            return new NewReservation(asMembers(value));
        }

        /** Name under which the table is reserved. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        public NewReservation name(String value) {
            put("name", value);
            return this;
        }

        /** How many people are expected. */
        public long covers() {
            return get("covers", JsonObject::asLong);
        }

        public NewReservation covers(long value) {
            put("covers", value);
            return this;
        }

        /** When the reservation begins. */
        public String startTime() {
            return get("startTime", JsonObject::asText);
        }

        public NewReservation startTime(String value) {
            put("startTime", value);
            return this;
        }

        /** When the table is free again; after {@code startTime}. */
        public String endTime() {
            return get("endTime", JsonObject::asText);
        }

        public NewReservation endTime(String value) {
            put("endTime", value);
            return this;
        }

        /** Ids of the reserved tables, at least one. */
        public List<String> tableIds() {
            return get("tableIds", JsonObject.asList(JsonObject::asText));
        }

        public NewReservation tableIds(List<String> value) {
            put("tableIds", value);
            return this;
        }

        /** Notes of the staff, which guests never see. */
        public String hostNotes() {
            return find("hostNotes", JsonObject::asText);
        }

        public NewReservation hostNotes(String value) {
            put("hostNotes", value);
            return this;
        }

        /** The guest's words; the EPOS does not edit them. */
        public String guestRequests() {
            return find("guestRequests", JsonObject::asText);
        }

        public NewReservation guestRequests(String value) {
            put("guestRequests", value);
            return this;
        }
    }

    public static final class NewRestIntegration extends JsonObject {
        public NewRestIntegration() {
            super(new LinkedHashMap<>());
        }

        private NewRestIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewRestIntegration of(Object value) {
            return new NewRestIntegration(asMembers(value));
        }

        /** Address of the EPOS, without query and fragment; {@code /v1/…} is appended. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        public NewRestIntegration url(String value) {
            put("url", value);
            return this;
        }

        /** Everything that the EPOS can do; each capability once. An empty list registers nothing. */
        public List<NewEposCapability> capabilities() {
            return get("capabilities", JsonObject.asList(NewEposCapability::of));
        }

        public NewRestIntegration capabilities(List<NewEposCapability> value) {
            put("capabilities", value);
            return this;
        }

        /** How the service authenticates itself at the EPOS. */
        public NewEposAuth auth() {
            return get("auth", NewEposAuth::of);
        }

        public NewRestIntegration auth(NewEposAuth value) {
            put("auth", value);
            return this;
        }
    }

    public static final class NewSandboxEpos extends JsonObject {
        public NewSandboxEpos() {
            super(new LinkedHashMap<>());
        }

        private NewSandboxEpos(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewSandboxEpos of(Object value) {
            return new NewSandboxEpos(asMembers(value));
        }

        /** False: the EPOS of the sandbox does not connect for this account. */
        public boolean isEnabled() {
            return get("isEnabled", JsonObject::asBoolean);
        }

        public NewSandboxEpos isEnabled(boolean value) {
            put("isEnabled", value);
            return this;
        }
    }

    public static final class NewSetupIntent extends JsonObject {
        public NewSetupIntent() {
            super(new LinkedHashMap<>());
        }

        private NewSetupIntent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewSetupIntent of(Object value) {
            return new NewSetupIntent(asMembers(value));
        }

        /** The integrator’s own reference; need not be unique. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        public NewSetupIntent reference(String value) {
            put("reference", value);
            return this;
        }

        /**
         * Why the merchant may charge later: {@code NoShow} for a missed booking, {@code Unscheduled} for other
         * agreed charges. One of {@code NoShow}, {@code Unscheduled}.
         */
        public String merchantInitiatedTransactionType() {
            return get("merchantInitiatedTransactionType", JsonObject::asText);
        }

        public NewSetupIntent merchantInitiatedTransactionType(String value) {
            put("merchantInitiatedTransactionType", value);
            return this;
        }

        /** The text that the payer agrees to on the page; it names the charge and when it is made. */
        public String terms() {
            return get("terms", JsonObject::asText);
        }

        public NewSetupIntent terms(String value) {
            put("terms", value);
            return this;
        }

        /** The most that may be charged later; no limit when not sent. */
        public PayableAmount intendedAmount() {
            return find("intendedAmount", PayableAmount::of);
        }

        public NewSetupIntent intendedAmount(PayableAmount value) {
            put("intendedAmount", value);
            return this;
        }

        /** A charge is always taken at once. One of {@code Auto}. */
        public String captureMode() {
            return find("captureMode", JsonObject::asText);
        }

        public NewSetupIntent captureMode(String value) {
            put("captureMode", value);
            return this;
        }

        /** Text for the payer and for reports. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        public NewSetupIntent description(String value) {
            put("description", value);
            return this;
        }

        /** The payer, as far as they are known. */
        public NewIntentCustomer customer() {
            return find("customer", NewIntentCustomer::of);
        }

        public NewSetupIntent customer(NewIntentCustomer value) {
            put("customer", value);
            return this;
        }

        /** How the payer may authorise; {@code ["Card"]} when not sent. */
        public List<String> paymentMethods() {
            return find("paymentMethods", JsonObject.asList(JsonObject::asText));
        }

        public NewSetupIntent paymentMethods(List<String> value) {
            put("paymentMethods", value);
            return this;
        }

        /** Address of the invoice; issuers compare it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        public NewSetupIntent billingAddress(Address value) {
            put("billingAddress", value);
            return this;
        }

        /** Where goods go. */
        public ShippingDetails shippingDetails() {
            return find("shippingDetails", ShippingDetails::of);
        }

        public NewSetupIntent shippingDetails(ShippingDetails value) {
            put("shippingDetails", value);
            return this;
        }

        /** What the hosted page for the card displays and requires. */
        public NewCheckoutConfig config() {
            return find("config", NewCheckoutConfig::of);
        }

        public NewSetupIntent config(NewCheckoutConfig value) {
            put("config", value);
            return this;
        }

        /** At most 16 KiB as JSON. */
        public Map<String, Object> metadata() {
            return find("metadata", JsonObject.asMap(JsonObject::asIs));
        }

        public NewSetupIntent metadata(Map<String, Object> value) {
            put("metadata", value);
            return this;
        }

        /** The order or booking that it belongs to. */
        public NewOrderDetails orderDetails() {
            return find("orderDetails", NewOrderDetails::of);
        }

        public NewSetupIntent orderDetails(NewOrderDetails value) {
            put("orderDetails", value);
            return this;
        }

        /** The payer’s device; helps to detect fraud. */
        public RequestSecurity requestSecurity() {
            return find("requestSecurity", RequestSecurity::of);
        }

        public NewSetupIntent requestSecurity(RequestSecurity value) {
            put("requestSecurity", value);
            return this;
        }

        /** In the future; 30 days from now when not sent. */
        public String expireAt() {
            return find("expireAt", JsonObject::asText);
        }

        public NewSetupIntent expireAt(String value) {
            put("expireAt", value);
            return this;
        }
    }

    public static final class NewSubscription extends JsonObject {
        public NewSubscription() {
            super(new LinkedHashMap<>());
        }

        private NewSubscription(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewSubscription of(Object value) {
            return new NewSubscription(asMembers(value));
        }

        /** The kinds to receive, at least one. A kind of another subscription is refused with 409. */
        public List<String> events() {
            return get("events", JsonObject.asList(JsonObject::asText));
        }

        public NewSubscription events(List<String> value) {
            put("events", value);
            return this;
        }

        /**
         * An https address of the public internet. A sandbox of a service that runs for development also calls
         * http on loopback, such as http://localhost:3000/hooks. Redirects are not followed.
         */
        public String url() {
            return get("url", JsonObject::asText);
        }

        public NewSubscription url(String value) {
            put("url", value);
            return this;
        }

        /** Text about the receiver, for people. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        public NewSubscription description(String value) {
            put("description", value);
            return this;
        }
    }

    public static final class NewTaxLine extends JsonObject {
        public NewTaxLine() {
            super(new LinkedHashMap<>());
        }

        private NewTaxLine(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTaxLine of(Object value) {
            return new NewTaxLine(asMembers(value));
        }

        /** The integrator’s or EPOS’s id of the tax line. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        public NewTaxLine id(String value) {
            put("id", value);
            return this;
        }

        /** Name of the tax on the payment page and the receipt, such as “VAT”. */
        public String caption() {
            return find("caption", JsonObject::asText);
        }

        public NewTaxLine caption(String value) {
            put("caption", value);
            return this;
        }

        /** Second line of the text, such as the rate. */
        public String subCaption() {
            return find("subCaption", JsonObject::asText);
        }

        public NewTaxLine subCaption(String value) {
            put("subCaption", value);
            return this;
        }

        /** Price look-up number of the item that is taxed; absent for a tax on the whole bill. */
        public String affectedPlu() {
            return find("affectedPlu", JsonObject::asText);
        }

        public NewTaxLine affectedPlu(String value) {
            put("affectedPlu", value);
            return this;
        }

        /** The amount of the tax. Never checked against the amount of the payment. */
        public PriceAmount amountTotal() {
            return get("amountTotal", PriceAmount::of);
        }

        public NewTaxLine amountTotal(PriceAmount value) {
            put("amountTotal", value);
            return this;
        }
    }

    /**
     * Also read flat: {@code terminalId}, {@code sessionType}, {@code paymentIntentId}, {@code amount} (at most
     * 999999999999).
     */
    public static final class NewTerminalSession extends JsonObject {
        public NewTerminalSession() {
            super(new LinkedHashMap<>());
        }

        private NewTerminalSession(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTerminalSession of(Object value) {
            return new NewTerminalSession(asMembers(value));
        }

        /** Id of the card machine ({@code tm_…}), from the list of terminals. */
        public String terminalId() {
            return get("terminalId", JsonObject::asText);
        }

        public NewTerminalSession terminalId(String value) {
            put("terminalId", value);
            return this;
        }

        /** What the machine has to do. */
        public NewTerminalSessionDetails details() {
            return get("details", NewTerminalSessionDetails::of);
        }

        public NewTerminalSession details(NewTerminalSessionDetails value) {
            put("details", value);
            return this;
        }
    }

    public static final class NewTerminalSessionDetails extends JsonObject {
        public NewTerminalSessionDetails() {
            super(new LinkedHashMap<>());
        }

        private NewTerminalSessionDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTerminalSessionDetails of(Object value) {
            return new NewTerminalSessionDetails(asMembers(value));
        }

        /**
         * {@code Sale} takes a payment, {@code MatchedRefund} refunds one, {@code UnlinkedRefund} refunds
         * without one. One of {@code Sale}, {@code MatchedRefund}, {@code UnlinkedRefund}.
         */
        public String sessionType() {
            return get("sessionType", JsonObject::asText);
        }

        public NewTerminalSessionDetails sessionType(String value) {
            put("sessionType", value);
            return this;
        }

        /** The payment to take. */
        public NewTerminalSessionDetailsSale sale() {
            return find("sale", NewTerminalSessionDetailsSale::of);
        }

        public NewTerminalSessionDetails sale(NewTerminalSessionDetailsSale value) {
            put("sale", value);
            return this;
        }

        /** The refund of a payment. */
        public NewTerminalSessionDetailsMatchedRefund matchedRefund() {
            return find("matchedRefund", NewTerminalSessionDetailsMatchedRefund::of);
        }

        public NewTerminalSessionDetails matchedRefund(NewTerminalSessionDetailsMatchedRefund value) {
            put("matchedRefund", value);
            return this;
        }

        /** A refund without a payment; also needs the permission {@code payments.refund}. */
        public NewTerminalSessionDetailsUnlinkedRefund unlinkedRefund() {
            return find("unlinkedRefund", NewTerminalSessionDetailsUnlinkedRefund::of);
        }

        public NewTerminalSessionDetails unlinkedRefund(NewTerminalSessionDetailsUnlinkedRefund value) {
            put("unlinkedRefund", value);
            return this;
        }
    }

    /** The refund of a payment. */
    public static final class NewTerminalSessionDetailsMatchedRefund extends JsonObject {
        public NewTerminalSessionDetailsMatchedRefund() {
            super(new LinkedHashMap<>());
        }

        private NewTerminalSessionDetailsMatchedRefund(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTerminalSessionDetailsMatchedRefund of(Object value) {
            return new NewTerminalSessionDetailsMatchedRefund(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}) to refund. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        public NewTerminalSessionDetailsMatchedRefund paymentIntentId(String value) {
            put("paymentIntentId", value);
            return this;
        }

        /** The whole refundable amount when not sent. */
        public PayableAmount amount() {
            return find("amount", PayableAmount::of);
        }

        public NewTerminalSessionDetailsMatchedRefund amount(PayableAmount value) {
            put("amount", value);
            return this;
        }
    }

    /** The payment to take. */
    public static final class NewTerminalSessionDetailsSale extends JsonObject {
        public NewTerminalSessionDetailsSale() {
            super(new LinkedHashMap<>());
        }

        private NewTerminalSessionDetailsSale(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTerminalSessionDetailsSale of(Object value) {
            return new NewTerminalSessionDetailsSale(asMembers(value));
        }

        /** Id of a payment intent ({@code pi_…}) that is {@code Created}. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        public NewTerminalSessionDetailsSale paymentIntentId(String value) {
            put("paymentIntentId", value);
            return this;
        }
    }

    /** A refund without a payment; also needs the permission {@code payments.refund}. */
    public static final class NewTerminalSessionDetailsUnlinkedRefund extends JsonObject {
        public NewTerminalSessionDetailsUnlinkedRefund() {
            super(new LinkedHashMap<>());
        }

        private NewTerminalSessionDetailsUnlinkedRefund(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTerminalSessionDetailsUnlinkedRefund of(Object value) {
            return new NewTerminalSessionDetailsUnlinkedRefund(asMembers(value));
        }

        /** What is returned to the card. */
        public PayableAmount amount() {
            return get("amount", PayableAmount::of);
        }

        public NewTerminalSessionDetailsUnlinkedRefund amount(PayableAmount value) {
            put("amount", value);
            return this;
        }

        /** True: the card is keyed in without the cardholder. */
        public Boolean cardholderNotPresent() {
            return find("cardholderNotPresent", JsonObject::asBoolean);
        }

        public NewTerminalSessionDetailsUnlinkedRefund cardholderNotPresent(Boolean value) {
            put("cardholderNotPresent", value);
            return this;
        }
    }

    public static final class NewTips extends JsonObject {
        public NewTips() {
            super(new LinkedHashMap<>());
        }

        private NewTips(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewTips of(Object value) {
            return new NewTips(asMembers(value));
        }

        /** The new tip, in the currency of the payment; 0 removes it. */
        public SurplusAmount tipsAmount() {
            return get("tipsAmount", SurplusAmount::of);
        }

        public NewTips tipsAmount(SurplusAmount value) {
            put("tipsAmount", value);
            return this;
        }
    }

    public static final class NewWsIntegration extends JsonObject {
        public NewWsIntegration() {
            super(new LinkedHashMap<>());
        }

        private NewWsIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NewWsIntegration of(Object value) {
            return new NewWsIntegration(asMembers(value));
        }

        /** Everything that the EPOS can do; each capability once. An empty list registers nothing. */
        public List<NewEposCapability> capabilities() {
            return get("capabilities", JsonObject.asList(NewEposCapability::of));
        }

        public NewWsIntegration capabilities(List<NewEposCapability> value) {
            put("capabilities", value);
            return this;
        }
    }

    public static final class NotificationEvent extends JsonObject {
        private NotificationEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static NotificationEvent of(Object value) {
            return new NotificationEvent(asMembers(value));
        }

        /**
         * What the machine displays to the cardholder. One of {@code Approved}, {@code Declined}, {@code
         * InsertCard}, {@code EnterPin}, {@code PleaseWait}, {@code PresentCard}, {@code PresentOnlyOneCard},
         * {@code RemoveCard}, {@code CardUnsupported}, {@code CardError}, {@code ReEnterCard}.
         */
        public String notificationType() {
            return get("notificationType", JsonObject::asText);
        }

        /** When the machine reported it. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    public static final class OfferedCards extends JsonObject {
        private OfferedCards(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static OfferedCards of(Object value) {
            return new OfferedCards(asMembers(value));
        }

        /** The one that the integrator named first, then newest first; without those that have expired. */
        public List<SavedPaymentMethod> savedPaymentMethods() {
            return get("savedPaymentMethods", JsonObject.asList(SavedPaymentMethod::of));
        }
    }

    public static final class OrderDetails extends JsonObject {
        private OrderDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static OrderDetails of(Object value) {
            return new OrderDetails(asMembers(value));
        }

        /** When the order is ready to be collected or served. */
        public String availabilityDate() {
            return find("availabilityDate", JsonObject::asText);
        }

        /** True if the payment belongs to a change of an order that exists already. */
        public Boolean isUpdate() {
            return find("isUpdate", JsonObject::asBoolean);
        }

        /** The order's id in the service. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        /** The order's id in the EPOS. */
        public String externalId() {
            return find("externalId", JsonObject::asText);
        }
    }

    public static final class OrderPlacement extends JsonObject {
        private OrderPlacement(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static OrderPlacement of(Object value) {
            return new OrderPlacement(asMembers(value));
        }

        /** Also the {@code serviceOrderId} of the order at the EPOS, the same in every attempt. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Id of the payment intent ({@code pi_…}) that pays the order. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /**
         * Where the order is; the operation that reads it explains every value. One of {@code Waiting}, {@code
         * Held}, {@code Placing}, {@code PlaceUnknown}, {@code Placed}, {@code Completed}, {@code Cancelling},
         * {@code GivingBack}, {@code GivenBack}, {@code Ended}, {@code NeedsOperator}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** The id of the order at the EPOS; absent until it is known. */
        public String orderId() {
            return find("orderId", JsonObject::asText);
        }

        /** With the service charge, without the tip. */
        public Money totalAmount() {
            return get("totalAmount", Money::of);
        }

        /** Held on top; 0 before the payment is authorised. */
        public Money tipsAmount() {
            return get("tipsAmount", Money::of);
        }

        /** True if the EPOS may have the order although its money was returned. An operator must check it. */
        public boolean orderMayStand() {
            return get("orderMayStand", JsonObject::asBoolean);
        }

        /** The last error, for people; absent if there was none. */
        public String lastError() {
            return find("lastError", JsonObject::asText);
        }

        /** When the order was submitted. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the order changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }
    }

    public static final class OrderPlacementPage extends JsonObject {
        private OrderPlacementPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static OrderPlacementPage of(Object value) {
            return new OrderPlacementPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<OrderPlacement> data() {
            return get("data", JsonObject.asList(OrderPlacement::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class Party extends JsonObject {
        private Party(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Party of(Object value) {
            return new Party(asMembers(value));
        }

        /** Id of the party, unique among the current parties of the EPOS. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Status of the party, in words of the EPOS. */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** Ids of the tables of the party. */
        public List<String> tableIds() {
            return get("tableIds", JsonObject.asList(JsonObject::asText));
        }

        /** When the party arrives or has arrived. */
        public String startTime() {
            return get("startTime", JsonObject::asText);
        }

        /** When the party is expected to leave. */
        public String expectedEndTime() {
            return find("expectedEndTime", JsonObject::asText);
        }

        /** When the party left; absent while it is there. */
        public String endTime() {
            return find("endTime", JsonObject::asText);
        }

        /** Name under which the party is known. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        /** How many people the party has. */
        public Long covers() {
            return find("covers", JsonObject::asLong);
        }

        /** Notes of the staff. Do not show them to guests. */
        public String hostNotes() {
            return find("hostNotes", JsonObject::asText);
        }

        /** The guest's words. */
        public String guestRequests() {
            return find("guestRequests", JsonObject::asText);
        }

        /** Id of the reservation at the EPOS, if there was one. */
        public String reservationId() {
            return find("reservationId", JsonObject::asText);
        }

        /** What was paid for the booking in advance. */
        public PartyDeposit deposit() {
            return find("deposit", PartyDeposit::of);
        }
    }

    public static final class PartyChange extends JsonObject {
        public PartyChange() {
            super(new LinkedHashMap<>());
        }

        private PartyChange(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PartyChange of(Object value) {
            return new PartyChange(asMembers(value));
        }

        /** Ids of the tables of the party, at least one. A table has one party at a time. */
        public List<String> tableIds() {
            return get("tableIds", JsonObject.asList(JsonObject::asText));
        }

        public PartyChange tableIds(List<String> value) {
            put("tableIds", value);
            return this;
        }

        /** When the party arrives or has arrived. */
        public String startTime() {
            return get("startTime", JsonObject::asText);
        }

        public PartyChange startTime(String value) {
            put("startTime", value);
            return this;
        }

        /** When the party is expected to leave. */
        public String expectedEndTime() {
            return find("expectedEndTime", JsonObject::asText);
        }

        public PartyChange expectedEndTime(String value) {
            put("expectedEndTime", value);
            return this;
        }

        /** Name under which the party is known. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public PartyChange name(String value) {
            put("name", value);
            return this;
        }

        /** How many people the party has. */
        public Long covers() {
            return find("covers", JsonObject::asLong);
        }

        public PartyChange covers(Long value) {
            put("covers", value);
            return this;
        }

        /** Notes of the staff, which guests never see. */
        public String hostNotes() {
            return find("hostNotes", JsonObject::asText);
        }

        public PartyChange hostNotes(String value) {
            put("hostNotes", value);
            return this;
        }

        /** The guest's words; the EPOS does not edit them. */
        public String guestRequests() {
            return find("guestRequests", JsonObject::asText);
        }

        public PartyChange guestRequests(String value) {
            put("guestRequests", value);
            return this;
        }

        /** What was paid for the booking in advance. */
        public NewPartyDeposit deposit() {
            return find("deposit", NewPartyDeposit::of);
        }

        public PartyChange deposit(NewPartyDeposit value) {
            put("deposit", value);
            return this;
        }

        /** Status of the party, in words of the EPOS. */
        public String status() {
            return get("status", JsonObject::asText);
        }

        public PartyChange status(String value) {
            put("status", value);
            return this;
        }

        /** When the party left. The party is over with it. */
        public String endTime() {
            return find("endTime", JsonObject::asText);
        }

        public PartyChange endTime(String value) {
            put("endTime", value);
            return this;
        }
    }

    public static final class PartyDeposit extends JsonObject {
        private PartyDeposit(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PartyDeposit of(Object value) {
            return new PartyDeposit(asMembers(value));
        }

        /** The sum of the deposit. */
        public Money totalAmount() {
            return get("totalAmount", Money::of);
        }

        /** Ids of the payment intents that the deposit was paid by. */
        public List<String> paymentIntentIds() {
            return get("paymentIntentIds", JsonObject.asList(JsonObject::asText));
        }

        /** Text about the deposit, for staff. */
        public String description() {
            return find("description", JsonObject::asText);
        }
    }

    public static final class PartyPage extends JsonObject {
        private PartyPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PartyPage of(Object value) {
            return new PartyPage(asMembers(value));
        }

        /** The elements of this page, in the order of the EPOS. */
        public List<Party> data() {
            return get("data", JsonObject.asList(Party::of));
        }

        /** Cursor of the previous page; null when there is none. */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the next page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }

        /** How many elements of the page were left out because they cannot be read; absent when all can. */
        public Long unreadableCount() {
            return find("unreadableCount", JsonObject::asLong);
        }
    }

    public static final class PastTerminalSession extends JsonObject {
        private PastTerminalSession(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PastTerminalSession of(Object value) {
            return new PastTerminalSession(asMembers(value));
        }

        /** The session as it is now. */
        public PastTerminalSessionTerminalSession terminalSession() {
            return get("terminalSession", PastTerminalSessionTerminalSession::of);
        }

        /** How the card was taken; absent until the acquirer has approved. */
        public PastTerminalSessionPayment payment() {
            return find("payment", PastTerminalSessionPayment::of);
        }
    }

    /** How the card was taken; absent until the acquirer has approved. */
    public static final class PastTerminalSessionPayment extends JsonObject {
        private PastTerminalSessionPayment(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PastTerminalSessionPayment of(Object value) {
            return new PastTerminalSessionPayment(asMembers(value));
        }

        /** When the acquirer decided. */
        public String transactionDateTime() {
            return get("transactionDateTime", JsonObject::asText);
        }

        /** Masked number of the card. */
        public String cardNumber() {
            return get("cardNumber", JsonObject::asText);
        }

        /** Last day of the card’s expiry month; absent when the machine did not report it. */
        public String expiryDate() {
            return find("expiryDate", JsonObject::asText);
        }

        /** Scheme of the card in capitals; {@code UNKNOWN} when its label is not known. */
        public String cardType() {
            return get("cardType", JsonObject::asText);
        }

        /** UUID of the transaction; equal to {@code paymentDetails.transactionId}. */
        public String authGatewayTransactionId() {
            return get("authGatewayTransactionId", JsonObject::asText);
        }

        /** Name on the card; absent when the machine did not report it. */
        public String cardHolderName() {
            return find("cardHolderName", JsonObject::asText);
        }

        /**
         * How the card was read. One of {@code Contactless}, {@code ContactChip}, {@code Magstripe}, {@code
         * ManualEntry}, {@code Unknown}.
         */
        public String entryMode() {
            return get("entryMode", JsonObject::asText);
        }

        /**
         * How the cardholder proved their identity. One of {@code Pin}, {@code Signature}, {@code Device},
         * {@code None}.
         */
        public String verificationMode() {
            return get("verificationMode", JsonObject::asText);
        }
    }

    /** The session as it is now. */
    public static final class PastTerminalSessionTerminalSession extends JsonObject {
        private PastTerminalSessionTerminalSession(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PastTerminalSessionTerminalSession of(Object value) {
            return new PastTerminalSessionTerminalSession(asMembers(value));
        }

        /** Id of the session ({@code ts_…}). */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Id of the card machine ({@code tm_…}). */
        public String terminalId() {
            return get("terminalId", JsonObject::asText);
        }

        /**
         * Current status of the session. One of {@code InitiateRequested}, {@code Initiated}, {@code
         * CancelRequested}, {@code SignatureVerificationRequired}, {@code SignatureVerificationAccepted}, {@code
         * SignatureVerificationRejected}, {@code Authorized}, {@code Captured}, {@code Canceled}, {@code
         * Declined}, {@code Expired}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** When the session expires unless it ends before. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }

        /** When the session was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the last status was reached. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** What the machine displayed, oldest first. */
        public List<NotificationEvent> notificationEvents() {
            return get("notificationEvents", JsonObject.asList(NotificationEvent::of));
        }

        /** All statuses of the session, oldest first. */
        public List<StatusEvent> statusEvents() {
            return get("statusEvents", JsonObject.asList(StatusEvent::of));
        }

        /** What the session was created for. */
        public SessionDetails details() {
            return get("details", SessionDetails::of);
        }
    }

    public static final class PayableAmount extends JsonObject {
        public PayableAmount() {
            super(new LinkedHashMap<>());
        }

        private PayableAmount(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PayableAmount of(Object value) {
            return new PayableAmount(asMembers(value));
        }

        /** Whole minor units of the currency (pence, cents): 1250 is 12.50. */
        public long value() {
            return get("value", JsonObject::asLong);
        }

        public PayableAmount value(long value) {
            put("value", value);
            return this;
        }

        /**
         * ISO 4217 code that the account accepts, such as {@code GBP} or {@code EUR}. All amounts of a request
         * have one currency.
         */
        public String currencyCode() {
            return get("currencyCode", JsonObject::asText);
        }

        public PayableAmount currencyCode(String value) {
            put("currencyCode", value);
            return this;
        }
    }

    public static final class PaymentActivity extends JsonObject {
        private PaymentActivity(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentActivity of(Object value) {
            return new PaymentActivity(asMembers(value));
        }

        /** Id of the entry; its form has no meaning. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * What happened: a request, a change, a call or a report. One of {@code ApiRequest}, {@code
         * StateChange}, {@code AcquirerCall}, {@code MachineReport}, {@code EposCall}, {@code WebhookAttempt}.
         */
        public String kind() {
            return get("kind", JsonObject::asText);
        }

        /** The payment intent, its session on a machine or at a table, or the reference of the acquirer call. */
        public String subjectId() {
            return get("subjectId", JsonObject::asText);
        }

        /** When it began. */
        public String at() {
            return get("at", JsonObject::asText);
        }

        /**
         * The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook,
         * the new status of a change, or what a machine reported.
         */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** The trace in which it happened: 32 hex digits, as in the header {@code trace-id}. */
        public String traceId() {
            return find("traceId", JsonObject::asText);
        }

        /**
         * Refused: the other side answered with a refusal. Failed: it did not answer, or with an error. One of
         * {@code Succeeded}, {@code Refused}, {@code Failed}.
         */
        public String outcome() {
            return find("outcome", JsonObject::asText);
        }

        /** The HTTP status, where there is one. */
        public Long status() {
            return find("status", JsonObject::asLong);
        }

        /** The code of the refusal, or why it failed. */
        public String reason() {
            return find("reason", JsonObject::asText);
        }

        /** How long it took, in milliseconds; absent where it is not measured. */
        public Long tookMs() {
            return find("tookMs", JsonObject::asLong);
        }

        /** HTTP method; absent where there was none. */
        public String method() {
            return find("method", JsonObject::asText);
        }

        /** Path that was called; absent where there was none. */
        public String path() {
            return find("path", JsonObject::asText);
        }

        /** Whether the request had an idempotency key. */
        public Boolean hasIdempotencyKey() {
            return find("hasIdempotencyKey", JsonObject::asBoolean);
        }

        /** Members that are not listed for the log have the value {@code [not recorded]}; a long body is cut. */
        public Map<String, Object> request() {
            return find("request", JsonObject.asMap(JsonObject::asIs));
        }

        /** Members that are not listed for the log have the value {@code [not recorded]}; a long body is cut. */
        public Map<String, Object> answer() {
            return find("answer", JsonObject.asMap(JsonObject::asIs));
        }

        /** The delivery of a webhook, or the table payment that an EPOS is called for. */
        public String reference() {
            return find("reference", JsonObject::asText);
        }

        /** Number of the attempt, from 1; absent where there are no attempts. */
        public Long attempt() {
            return find("attempt", JsonObject::asLong);
        }

        /** How an EPOS was called; {@code machine}: the card machine called the acquirer. */
        public String transport() {
            return find("transport", JsonObject::asText);
        }
    }

    public static final class PaymentActivityPage extends JsonObject {
        private PaymentActivityPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentActivityPage of(Object value) {
            return new PaymentActivityPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<PaymentActivity> data() {
            return get("data", JsonObject.asList(PaymentActivity::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class PaymentAmountEvent extends JsonObject {
        private PaymentAmountEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentAmountEvent of(Object value) {
            return new PaymentAmountEvent(asMembers(value));
        }

        /** Id of the event ({@code evt_…}), the same in every attempt; receivers detect repeats by it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account in which it happened ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** When it happened. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /**
         * The kind of event. One of {@code payment_intent.amount_captured}, {@code
         * payment_intent.amount_refunded}.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /** The intent and the sums at the time of the event. */
        public PaymentAmountEventData data() {
            return get("data", PaymentAmountEventData::of);
        }
    }

    /** The intent and the sums at the time of the event. */
    public static final class PaymentAmountEventData extends JsonObject {
        private PaymentAmountEventData(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentAmountEventData of(Object value) {
            return new PaymentAmountEventData(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}). */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /**
         * Status of the intent right after the change; read the intent for its current status. One of {@code
         * Created}, {@code Authorized}, {@code Captured}, {@code Reversed}, {@code Refunded}, {@code Canceled}.
         */
        public String paymentStatus() {
            return get("paymentStatus", JsonObject::asText);
        }

        /** Capture mode of the intent. One of {@code Auto}, {@code Manual}. */
        public String captureMode() {
            return get("captureMode", JsonObject::asText);
        }

        /** What this capture or refund moved. */
        public Money amount() {
            return get("amount", Money::of);
        }

        /** The sum of all captures so far. */
        public Money capturedAmount() {
            return get("capturedAmount", Money::of);
        }

        /** The sum of all refunds so far. */
        public Money refundedAmount() {
            return get("refundedAmount", Money::of);
        }

        /** Absent where the approval captured the money. */
        public String captureId() {
            return find("captureId", JsonObject::asText);
        }

        /** Absent where a card machine refunded the money. */
        public String refundId() {
            return find("refundId", JsonObject::asText);
        }
    }

    public static final class PaymentChargeEvent extends JsonObject {
        private PaymentChargeEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentChargeEvent of(Object value) {
            return new PaymentChargeEvent(asMembers(value));
        }

        /** Id of the event ({@code evt_…}), the same in every attempt; receivers detect repeats by it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account in which it happened ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** When it happened. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** The kind of event. One of {@code payment_intent.charge_failed}. */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /** The intent at the time of the event. */
        public PaymentChargeEventData data() {
            return get("data", PaymentChargeEventData::of);
        }
    }

    /** The intent at the time of the event. */
    public static final class PaymentChargeEventData extends JsonObject {
        private PaymentChargeEventData(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentChargeEventData of(Object value) {
            return new PaymentChargeEventData(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}). */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /**
         * Status of the intent right after the change; read the intent for its current status. One of {@code
         * Created}, {@code Authorized}, {@code Captured}, {@code Reversed}, {@code Refunded}, {@code Canceled}.
         */
        public String paymentStatus() {
            return get("paymentStatus", JsonObject::asText);
        }

        /** Capture mode of the intent. One of {@code Auto}, {@code Manual}. */
        public String captureMode() {
            return get("captureMode", JsonObject::asText);
        }
    }

    public static final class PaymentDetails extends JsonObject {
        private PaymentDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentDetails of(Object value) {
            return new PaymentDetails(asMembers(value));
        }

        /** UUID of the transaction; the same as {@code id} in the listing of transactions. */
        public String transactionId() {
            return get("transactionId", JsonObject::asText);
        }

        /** How the acquirer names the transaction, where that is no UUID; absent otherwise. */
        public String acquirerTransactionId() {
            return find("acquirerTransactionId", JsonObject::asText);
        }

        /** When the acquirer decided. */
        public String transactionDateTime() {
            return get("transactionDateTime", JsonObject::asText);
        }

        /**
         * Outcome of the last step: {@code DEPOSITED} captured, {@code AUTHORIZED} held, and so on. One of
         * {@code DEPOSITED}, {@code AUTHORIZED}, {@code DECLINED}, {@code REFERRED}, {@code REVERSED}, {@code
         * REFUNDED}, {@code FAILED}.
         */
        public String message() {
            return get("message", JsonObject::asText);
        }

        /** Code with which the issuer approved the payment; printed on receipts. */
        public String authCode() {
            return get("authCode", JsonObject::asText);
        }

        /** Id of the saved card ({@code pm_…}) that was used or saved; absent otherwise. */
        public String paymentMethodId() {
            return find("paymentMethodId", JsonObject::asText);
        }

        /**
         * How the billing address compares with the issuer’s; absent when there was no check. One of {@code
         * ADDRESS_MATCH_POSTCODE_MATCH}, {@code ADDRESS_MATCH_POSTCODE_MISMATCH}, {@code
         * ADDRESS_MISMATCH_POSTCODE_MATCH}, {@code ADDRESS_MISMATCH_POSTCODE_MISMATCH}, {@code NOT_CHECKED}.
         */
        public String avsResult() {
            return find("avsResult", JsonObject::asText);
        }

        /** The card that was used, with a masked number. */
        public Card card() {
            return get("card", Card::of);
        }
    }

    /** Steps of one attempt share {@code transactionId}. */
    public static final class PaymentEvent extends JsonObject {
        private PaymentEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentEvent of(Object value) {
            return new PaymentEvent(asMembers(value));
        }

        /** UUID of the attempt; absent for steps that belong to none, such as a cancellation. */
        public String transactionId() {
            return find("transactionId", JsonObject::asText);
        }

        /** When the step happened. */
        public String transactionDateTime() {
            return get("transactionDateTime", JsonObject::asText);
        }

        /** Empty before an approval. */
        public String authCode() {
            return get("authCode", JsonObject::asText);
        }

        /** Masked number of the card: first 8 digits, {@code ****}, last 4. Absent for steps without a card. */
        public String cardNumber() {
            return find("cardNumber", JsonObject::asText);
        }

        /** Last day of the card’s expiry month; absent for steps without a card. */
        public String expiryDate() {
            return find("expiryDate", JsonObject::asText);
        }

        /** Scheme of the card in capitals; absent for steps without a card. */
        public String cardType() {
            return find("cardType", JsonObject::asText);
        }

        /** Name on the card; absent when it is not known. */
        public String cardholderName() {
            return find("cardholderName", JsonObject::asText);
        }

        /** Id of the saved card ({@code pm_…}); absent when none was used. */
        public String paymentMethodId() {
            return find("paymentMethodId", JsonObject::asText);
        }

        /**
         * What happened. {@code AuthChallenged}: the issuer asked for 3-D Secure. {@code Error}: the attempt
         * failed without a decision of the issuer. One of {@code Created}, {@code Authorized}, {@code Captured},
         * {@code Reversed}, {@code Refunded}, {@code Canceled}, {@code AuthChallenged}, {@code Declined}, {@code
         * ManualAuthReady}, {@code Error}, {@code Unknown}.
         */
        public String eventType() {
            return get("eventType", JsonObject::asText);
        }

        /** The amount of the step: of a capture, of a refund or reversal, or of a declined attempt. */
        public Money amount() {
            return find("amount", Money::of);
        }
    }

    public static final class PaymentIntent extends JsonObject {
        private PaymentIntent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentIntent of(Object value) {
            return new PaymentIntent(asMembers(value));
        }

        /** Id of the payment intent: {@code pi_sandbox_…} in the sandbox, {@code pi_…} in production. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * {@code Created} unpaid; {@code Authorized} held; {@code Captured} taken; {@code Refunded} taken and
         * returned in full; {@code Reversed} undone; {@code Canceled} given up unpaid. One of {@code Created},
         * {@code Authorized}, {@code Captured}, {@code Reversed}, {@code Refunded}, {@code Canceled}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /**
         * {@code Auto}: the approval takes the money. {@code Manual}: it is held until captures take it. One of
         * {@code Auto}, {@code Manual}.
         */
        public String captureMode() {
            return get("captureMode", JsonObject::asText);
        }

        /** The price, without tip, cashback and service charge. */
        public Money amount() {
            return get("amount", Money::of);
        }

        /** The total for the cardholder: amount, tip, cashback, service charge. */
        public Money totalAmount() {
            return get("totalAmount", Money::of);
        }

        /** The tip; absent until there is one. */
        public Money tipsAmount() {
            return find("tipsAmount", Money::of);
        }

        /** The first amount, once it was changed. */
        public Money requestedAmount() {
            return find("requestedAmount", Money::of);
        }

        /** Minor units. */
        public long refundedAmount() {
            return get("refundedAmount", JsonObject::asLong);
        }

        /** How the payer may pay online: {@code Card}, {@code Wallet}, {@code SavedCard}. */
        public List<String> paymentMethods() {
            return get("paymentMethods", JsonObject.asList(JsonObject::asText));
        }

        /** The integrator’s own reference, as it was sent. It need not be unique. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        /** The integrator’s text about the payment, if one was sent. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        /**
         * While it is unused and unexpired, for a payer and for a key with {@code payments.write} or {@code
         * payments.online}.
         */
        public String clientSessionSecret() {
            return find("clientSessionSecret", JsonObject::asText);
        }

        /**
         * When {@code clientSessionSecret} expires. Always written: without a secret, such as after the payment,
         * it is 0001-01-01T00:00:00Z, which means that there is no time.
         */
        public String clientSessionSecretExpirationDate() {
            return get("clientSessionSecretExpirationDate", JsonObject::asText);
        }

        /** Address of the invoice, as it was sent or the payer entered it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        /** Where the goods go, as it was sent or the payer entered it. */
        public ShippingDetails shippingDetails() {
            return find("shippingDetails", ShippingDetails::of);
        }

        /** What is paid, line by line; empty when no lines were sent. The sum need not be the amount. */
        public List<ItemLine> itemLines() {
            return get("itemLines", JsonObject.asList(ItemLine::of));
        }

        /** Taxes within the amount; empty when none were sent. */
        public List<TaxLine> taxLines() {
            return get("taxLines", JsonObject.asList(TaxLine::of));
        }

        /** What the payment page displays and requires. */
        public CheckoutConfig config() {
            return get("config", CheckoutConfig::of);
        }

        /** What the merchant accepts. */
        public MerchantConfig merchantConfig() {
            return get("merchantConfig", MerchantConfig::of);
        }

        /**
         * Where the intent was created: {@code api}, {@code virtual-terminal}, {@code payment-links} (the
         * portal) or {@code pay-at-table}. One of {@code api}, {@code virtual-terminal}, {@code payment-links},
         * {@code pay-at-table}.
         */
        public String paymentSource() {
            return get("paymentSource", JsonObject::asText);
        }

        /** When the intent was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the intent was changed last; moves with every stored change. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** True: the card is keyed in without the cardholder, such as for an order by phone. */
        public boolean cardHolderNotPresent() {
            return get("cardHolderNotPresent", JsonObject::asBoolean);
        }

        /** Cash that is handed to the payer, on top of the price; absent without any. */
        public Money cashbackAmount() {
            return find("cashbackAmount", Money::of);
        }

        /** Service charge on top of the price; absent without any. */
        public Money serviceChargeAmount() {
            return find("serviceChargeAmount", Money::of);
        }

        /** Sum of lines, modifiers and taxes; only with lines. */
        public Money subtotalLineItems() {
            return find("subtotalLineItems", Money::of);
        }

        /** The payer, as far as they are known; absent otherwise. */
        public IntentCustomer customer() {
            return find("customer", IntentCustomer::of);
        }

        /** A link for the payer that belongs to the payment, if one was sent. */
        public ActionLink actionLink() {
            return find("actionLink", ActionLink::of);
        }

        /** The order that is paid, if it was sent. */
        public OrderDetails orderDetails() {
            return find("orderDetails", OrderDetails::of);
        }

        /** The device from which the payer ordered, if it was sent. */
        public RequestSecurity requestSecurity() {
            return find("requestSecurity", RequestSecurity::of);
        }

        /**
         * Manual only: what happens to the hold when it ends. {@code Release} returns it, {@code Capture} takes
         * it. One of {@code Release}, {@code Capture}.
         */
        public String autoExpireAction() {
            return find("autoExpireAction", JsonObject::asText);
        }

        /**
         * Manual only: how long an authorisation is held, as {@code hh:mm:ss} or {@code d.hh:mm:ss}; seven days
         * when absent.
         */
        public String autoExpireIn() {
            return find("autoExpireIn", JsonObject::asText);
        }

        /** When an unpaid intent is canceled by itself; 30 days after its creation unless another time was sent. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }

        /** Always holds {@code location-id}. */
        public Map<String, Object> metadata() {
            return get("metadata", JsonObject.asMap(JsonObject::asIs));
        }

        /** Id of the setup intent ({@code si_…}) whose card is charged; absent for other payments. */
        public String setupIntentId() {
            return find("setupIntentId", JsonObject::asText);
        }

        /** Address of the hosted payment page for this intent; absent when the payment is not taken online. */
        public String paymentLink() {
            return find("paymentLink", JsonObject::asText);
        }

        /** Once the payment is final. */
        public PaymentDetails paymentDetails() {
            return find("paymentDetails", PaymentDetails::of);
        }

        /** Steps of all attempts, oldest first; empty until the first. */
        public List<PaymentEvent> paymentEvents() {
            return get("paymentEvents", JsonObject.asList(PaymentEvent::of));
        }

        /** Sessions on card machines for this payment, oldest first; empty when there are none. */
        public List<PastTerminalSession> terminalSessionHistory() {
            return get("terminalSessionHistory", JsonObject.asList(PastTerminalSession::of));
        }

        /** Of Manual intents only. */
        public List<Capture> captures() {
            return get("captures", JsonObject.asList(Capture::of));
        }
    }

    public static final class PaymentIntentEvent extends JsonObject {
        private PaymentIntentEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentIntentEvent of(Object value) {
            return new PaymentIntentEvent(asMembers(value));
        }

        /** Id of the event ({@code evt_…}), the same in every attempt; receivers detect repeats by it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account in which it happened ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** When it happened. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /**
         * The kind of event. One of {@code payment_intent.created}, {@code payment_intent.status_updated},
         * {@code payment_intent.send-receipt}.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /** The intent at the time of the event. */
        public PaymentIntentEventData data() {
            return get("data", PaymentIntentEventData::of);
        }
    }

    /** The intent at the time of the event. */
    public static final class PaymentIntentEventData extends JsonObject {
        private PaymentIntentEventData(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentIntentEventData of(Object value) {
            return new PaymentIntentEventData(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}). */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /**
         * Status of the intent right after the change; read the intent for its current status. One of {@code
         * Created}, {@code Authorized}, {@code Captured}, {@code Reversed}, {@code Refunded}, {@code Canceled}.
         */
        public String paymentStatus() {
            return get("paymentStatus", JsonObject::asText);
        }

        /** Capture mode of the intent. One of {@code Auto}, {@code Manual}. */
        public String captureMode() {
            return get("captureMode", JsonObject::asText);
        }
    }

    public static final class PaymentIntentPage extends JsonObject {
        private PaymentIntentPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentIntentPage of(Object value) {
            return new PaymentIntentPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<PaymentIntent> data() {
            return get("data", JsonObject.asList(PaymentIntent::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class PaymentIntentSearch extends JsonObject {
        public PaymentIntentSearch() {
            super(new LinkedHashMap<>());
        }

        private PaymentIntentSearch(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentIntentSearch of(Object value) {
            return new PaymentIntentSearch(asMembers(value));
        }

        /** All but Canceled when not sent. */
        public List<String> statuses() {
            return find("statuses", JsonObject.asList(JsonObject::asText));
        }

        public PaymentIntentSearch statuses(List<String> value) {
            put("statuses", value);
            return this;
        }

        /** Inclusive, by {@code createdAt}. */
        public String startDate() {
            return find("startDate", JsonObject::asText);
        }

        public PaymentIntentSearch startDate(String value) {
            put("startDate", value);
            return this;
        }

        /** Exclusive. */
        public String endDate() {
            return find("endDate", JsonObject::asText);
        }

        public PaymentIntentSearch endDate(String value) {
            put("endDate", value);
            return this;
        }

        /** Only payments of this customer ({@code cust_…}); an unknown one has none. */
        public String customerId() {
            return find("customerId", JsonObject::asText);
        }

        public PaymentIntentSearch customerId(String value) {
            put("customerId", value);
            return this;
        }

        /** Which page. */
        public PaymentIntentSearchCursor cursor() {
            return find("cursor", PaymentIntentSearchCursor::of);
        }

        public PaymentIntentSearch cursor(PaymentIntentSearchCursor value) {
            put("cursor", value);
            return this;
        }
    }

    /** Which page. */
    public static final class PaymentIntentSearchCursor extends JsonObject {
        public PaymentIntentSearchCursor() {
            super(new LinkedHashMap<>());
        }

        private PaymentIntentSearchCursor(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentIntentSearchCursor of(Object value) {
            return new PaymentIntentSearchCursor(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public PaymentIntentSearchCursor limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public PaymentIntentSearchCursor before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public PaymentIntentSearchCursor after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class PaymentLink extends JsonObject {
        private PaymentLink(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentLink of(Object value) {
            return new PaymentLink(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}) or setup intent ({@code si_…}) of the link. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * {@code Active}: the intent can be read by its payer, whether it is paid or not. One of {@code Active},
         * {@code Canceled}, {@code Expired}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Name of the merchant as payers know it. */
        public String tradingName() {
            return get("tradingName", JsonObject::asText);
        }

        /** The look of the merchant’s pages. */
        public PaymentLinkBranding branding() {
            return get("branding", PaymentLinkBranding::of);
        }
    }

    /** The look of the merchant’s pages. */
    public static final class PaymentLinkBranding extends JsonObject {
        private PaymentLinkBranding(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentLinkBranding of(Object value) {
            return new PaymentLinkBranding(asMembers(value));
        }

        /** Address of the logo; absent when the account has none. */
        public String logoUrl() {
            return find("logoUrl", JsonObject::asText);
        }

        /** Address of the small icon of the browser tab; absent when the account has none. */
        public String faviconUrl() {
            return find("faviconUrl", JsonObject::asText);
        }

        /** The colour of the button, {@code #0b57d0}. */
        public String accentColor() {
            return find("accentColor", JsonObject::asText);
        }

        /**
         * The kind of letters of the page; the font of the system when absent. One of {@code sans}, {@code
         * humanist}, {@code geometric}, {@code rounded}, {@code serif}.
         */
        public String font() {
            return find("font", JsonObject::asText);
        }
    }

    public static final class PaymentMethods extends JsonObject {
        private PaymentMethods(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentMethods of(Object value) {
            return new PaymentMethods(asMembers(value));
        }

        /** Id of the customer ({@code cust_…}) whose cards are listed. */
        public String customerId() {
            return get("customerId", JsonObject::asText);
        }

        /** Number of the merchant at the acquirer. */
        public String merchantId() {
            return get("merchantId", JsonObject::asText);
        }

        /** Newest first. */
        public List<SavedPaymentMethod> savedPaymentMethods() {
            return get("savedPaymentMethods", JsonObject.asList(SavedPaymentMethod::of));
        }

        /** What the merchant accepts now. */
        public PaymentMethodsSupportedPaymentMethods supportedPaymentMethods() {
            return get("supportedPaymentMethods", PaymentMethodsSupportedPaymentMethods::of);
        }
    }

    /** What the merchant accepts now. */
    public static final class PaymentMethodsSupportedPaymentMethods extends JsonObject {
        private PaymentMethodsSupportedPaymentMethods(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PaymentMethodsSupportedPaymentMethods of(Object value) {
            return new PaymentMethodsSupportedPaymentMethods(asMembers(value));
        }

        /** Card schemes that the merchant accepts. */
        public List<String> cardSchemes() {
            return get("cardSchemes", JsonObject.asList(JsonObject::asText));
        }

        /** Wallets that the merchant accepts. */
        public List<String> wallets() {
            return get("wallets", JsonObject.asList(JsonObject::asText));
        }
    }

    public static final class PendingPayment extends JsonObject {
        private PendingPayment(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PendingPayment of(Object value) {
            return new PendingPayment(asMembers(value));
        }

        /** Of an order that is paid in advance the id of its placement. */
        public String paymentId() {
            return get("paymentId", JsonObject::asText);
        }

        /** Present for a payment of a journey. */
        public String journeyId() {
            return find("journeyId", JsonObject::asText);
        }

        /** Id of the session at the EPOS; absent when the payment belongs to none. */
        public String sessionId() {
            return find("sessionId", JsonObject::asText);
        }

        /** Id of the order at the EPOS; absent when the EPOS keeps sessions, or the order is not known. */
        public String orderId() {
            return find("orderId", JsonObject::asText);
        }

        /** Id of the payment intent ({@code pi_…}); absent when there is none. */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        /** Minor units. */
        public long baseAmount() {
            return get("baseAmount", JsonObject::asLong);
        }

        /** Minor units. */
        public long gratuityAmount() {
            return get("gratuityAmount", JsonObject::asLong);
        }

        /** Minor units. */
        public long cashbackAmount() {
            return get("cashbackAmount", JsonObject::asLong);
        }

        /** ISO 4217 code of the three amounts. */
        public String currency() {
            return get("currency", JsonObject::asText);
        }

        /** The state in which the payment waits, such as {@code RecordUnknown} or {@code NeedsOperator}. */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Since when it waits. */
        public String since() {
            return get("since", JsonObject::asText);
        }

        /** The number of calls to the EPOS to record the payment, or to create the order. */
        public long attempts() {
            return get("attempts", JsonObject::asLong);
        }

        /** The last error, for people; absent if there was none. */
        public String lastError() {
            return find("lastError", JsonObject::asText);
        }

        /** Present for a call to the acquirer that has no outcome; {@code paymentId} is its reference. */
        public PendingPaymentAcquirerCall acquirerCall() {
            return find("acquirerCall", PendingPaymentAcquirerCall::of);
        }

        /** True once it has been pending for 60 seconds. */
        public boolean alarm() {
            return get("alarm", JsonObject::asBoolean);
        }
    }

    /** Present for a call to the acquirer that has no outcome; {@code paymentId} is its reference. */
    public static final class PendingPaymentAcquirerCall extends JsonObject {
        private PendingPaymentAcquirerCall(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PendingPaymentAcquirerCall of(Object value) {
            return new PendingPaymentAcquirerCall(asMembers(value));
        }

        /**
         * What the acquirer was asked to do. One of {@code Authorise}, {@code Increase}, {@code Capture}, {@code
         * Refund}, {@code Reverse}, {@code Release}.
         */
        public String kind() {
            return get("kind", JsonObject::asText);
        }

        /** Our reference of the call; the acquirer’s books have it too. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        /** The authorisation that the call is about. */
        public String originalReference() {
            return find("originalReference", JsonObject::asText);
        }

        /**
         * The state of the call in our books. One of {@code Prepared}, {@code Sent}, {@code Challenged}, {@code
         * Approved}, {@code Declined}, {@code Unknown}, {@code Settled}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** How long ago its deadline was. */
        public long openSeconds() {
            return get("openSeconds", JsonObject::asLong);
        }
    }

    public static final class PendingResolution extends JsonObject {
        public PendingResolution() {
            super(new LinkedHashMap<>());
        }

        private PendingResolution(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PendingResolution of(Object value) {
            return new PendingResolution(asMembers(value));
        }

        /**
         * The decision; the description of the operation states which one each kind of payment accepts. One of
         * {@code MarkRecorded}, {@code GiveBack}, {@code RetryNow}, {@code MarkNotHeld}, {@code SettleAsListed},
         * {@code MarkNotTaken}, {@code MarkRefunded}, {@code MarkNotRefunded}.
         */
        public String action() {
            return get("action", JsonObject::asText);
        }

        public PendingResolution action(String value) {
            put("action", value);
            return this;
        }

        /** The reason; stored in the audit log. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        public PendingResolution note(String value) {
            put("note", value);
            return this;
        }
    }

    /**
     * The order to create at the EPOS; the service adds its own id of the order and the payment. All amounts are
     * of one currency, quantities are from 1 to 10000, texts have at most 1024 characters, and the whole has at
     * most 256 KiB of JSON. No text may hold a card number or a security code.
     */
    public static final class PlacedOrder extends JsonObject {
        public PlacedOrder() {
            super(new LinkedHashMap<>());
        }

        private PlacedOrder(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PlacedOrder of(Object value) {
            return new PlacedOrder(asMembers(value));
        }

        /** How the order is served. */
        public EposOrderDetails details() {
            return get("details", EposOrderDetails::of);
        }

        public PlacedOrder details(EposOrderDetails value) {
            put("details", value);
            return this;
        }

        /** Instructions for the whole order. */
        public String note() {
            return find("note", JsonObject::asText);
        }

        public PlacedOrder note(String value) {
            put("note", value);
            return this;
        }

        /** Discounts that {@code totalAmount} already contains. */
        public List<EposDiscount> discounts() {
            return find("discounts", JsonObject.asList(EposDiscount::of));
        }

        public PlacedOrder discounts(List<EposDiscount> value) {
            put("discounts", value);
            return this;
        }

        /** Taxes that {@code totalAmount} already contains. */
        public List<EposTaxLine> taxLines() {
            return find("taxLines", JsonObject.asList(EposTaxLine::of));
        }

        public PlacedOrder taxLines(List<EposTaxLine> value) {
            put("taxLines", value);
            return this;
        }

        /** Service charge, part of {@code totalAmount}. */
        public EposMoney serviceChargeAmount() {
            return find("serviceChargeAmount", EposMoney::of);
        }

        public PlacedOrder serviceChargeAmount(EposMoney value) {
            put("serviceChargeAmount", value);
            return this;
        }

        /** A number or name of the order that people can read. */
        public String reference() {
            return find("reference", JsonObject::asText);
        }

        public PlacedOrder reference(String value) {
            put("reference", value);
            return this;
        }

        /** Name under which lists display the order. */
        public String displayName() {
            return find("displayName", JsonObject::asText);
        }

        public PlacedOrder displayName(String value) {
            put("displayName", value);
            return this;
        }

        /** Who ordered. */
        public EposCustomer customer() {
            return find("customer", EposCustomer::of);
        }

        public PlacedOrder customer(EposCustomer value) {
            put("customer", value);
            return this;
        }

        /** What is ordered. */
        public List<EposItem> items() {
            return get("items", JsonObject.asList(EposItem::of));
        }

        public PlacedOrder items(List<EposItem> value) {
            put("items", value);
            return this;
        }

        /** After discounts and taxes, with the service charge, never with tips. */
        public EposMoney totalAmount() {
            return get("totalAmount", EposMoney::of);
        }

        public PlacedOrder totalAmount(EposMoney value) {
            put("totalAmount", value);
            return this;
        }
    }

    public static final class PriceAmount extends JsonObject {
        public PriceAmount() {
            super(new LinkedHashMap<>());
        }

        private PriceAmount(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PriceAmount of(Object value) {
            return new PriceAmount(asMembers(value));
        }

        /** Whole minor units of the currency (pence, cents): 1250 is 12.50. */
        public long value() {
            return get("value", JsonObject::asLong);
        }

        public PriceAmount value(long value) {
            put("value", value);
            return this;
        }

        /**
         * ISO 4217 code that the account accepts, such as {@code GBP} or {@code EUR}. All amounts of a request
         * have one currency.
         */
        public String currencyCode() {
            return get("currencyCode", JsonObject::asText);
        }

        public PriceAmount currencyCode(String value) {
            put("currencyCode", value);
            return this;
        }
    }

    public static final class Problem extends JsonObject {
        private Problem(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Problem of(Object value) {
            return new Problem(asMembers(value));
        }

        /** Names the kind of problem. */
        public String type() {
            return get("type", JsonObject::asText);
        }

        /** Short summary of the status. */
        public String title() {
            return get("title", JsonObject::asText);
        }

        /** HTTP status of the answer. */
        public long status() {
            return get("status", JsonObject::asLong);
        }

        /** A sentence for the person who reads the log. */
        public String detail() {
            return get("detail", JsonObject::asText);
        }

        /** W3C trace parent of the failed request; also in the header {@code trace-id}. */
        public String traceId() {
            return get("traceId", JsonObject::asText);
        }

        /** Messages by member path or header name; empty when no member is at fault. */
        public Map<String, List<String>> errors() {
            return get("errors", JsonObject.asMap(JsonObject.asList(JsonObject::asText)));
        }

        /**
         * The cause, as a value of the error catalogue. Programs decide by it, not by {@code detail}. One of
         * {@code path_unknown}, {@code method_not_allowed}, {@code unauthenticated}, {@code rate_limited},
         * {@code version_invalid}, {@code permission_missing}, {@code partner_header_invalid}, {@code
         * partner_not_registered}, {@code media_type_unsupported}, {@code body_too_large}, {@code
         * body_malformed}, {@code idempotency_key_invalid}, {@code idempotency_key_reused}, {@code
         * idempotency_in_progress}, {@code validation_failed}, {@code service_unavailable}, {@code
         * commit_unknown}, {@code acquirer_not_configured}, {@code acquirer_lacks_capability}, {@code
         * acquirer_unanswered}, {@code client_secret_missing}, {@code client_secret_invalid}, {@code
         * page_origin_not_registered}, {@code submissions_exhausted}, {@code payment_outcome_unknown}, {@code
         * attempt_not_found}, {@code saved_card_not_found}, {@code saved_card_not_usable}, {@code
         * saved_card_busy}, {@code saved_card_of_setup_intent}, {@code payment_intent_not_found}, {@code
         * payment_intent_unknown}, {@code payment_intent_canceled}, {@code payment_intent_busy}, {@code
         * payment_intent_not_cancelable}, {@code payment_intent_not_payable}, {@code currency_not_enabled},
         * {@code not_capturable}, {@code capture_exceeds_authorized}, {@code capture_refused}, {@code
         * not_refundable}, {@code refund_exceeds_captured}, {@code refund_refused}, {@code refund_not_found},
         * {@code not_reversible}, {@code reversal_window_passed}, {@code reversal_refused}, {@code
         * not_chargeable}, {@code charge_without_setup_intent}, {@code charge_exceeds_intended}, {@code
         * setup_intent_not_chargeable}, {@code amount_change_not_enabled}, {@code amount_not_changeable}, {@code
         * amount_not_raised}, {@code amount_raise_refused}, {@code tips_change_not_enabled}, {@code
         * tips_not_changeable}, {@code secret_not_refreshable}, {@code receipt_not_available}, {@code
         * receipts_exhausted}, {@code setup_intent_not_found}, {@code setup_intent_busy}, {@code
         * setup_intent_not_authorisable}, {@code setup_intent_not_cancelable}, {@code customer_not_found},
         * {@code terminal_not_found}, {@code terminal_unavailable}, {@code terminal_session_not_found}, {@code
         * terminal_session_not_cancelable}, {@code signature_not_awaited}, {@code subscription_not_found},
         * {@code event_kind_taken}, {@code secret_not_found}, {@code secret_is_active}, {@code
         * secrets_exhausted}, {@code delivery_not_found}, {@code delivery_not_dead_lettered}, {@code
         * event_kind_not_subscribed}, {@code api_key_not_found}, {@code api_keys_exhausted}, {@code
         * attestation_missing}, {@code account_disabled}, {@code sign_in_refused}, {@code
         * portal_session_missing}, {@code password_change_needed}, {@code password_locked}, {@code
         * reauthentication_needed}, {@code cross_site_request}, {@code account_not_chosen}, {@code
         * sign_in_expired}, {@code second_factor_refused}, {@code second_factor_missing}, {@code
         * second_factor_required}, {@code passkey_not_found}, {@code password_sign_in_off}, {@code
         * second_person_needed}, {@code second_person_refused}, {@code four_eyes_request_unknown}, {@code
         * four_eyes_request_decided}, {@code flow_not_found}, {@code flow_runs_exhausted}, {@code
         * pending_payment_not_found}, {@code pending_payment_not_decidable}, {@code difference_not_found},
         * {@code difference_not_answerable}, {@code alarm_not_found}, {@code alarm_answered}, {@code
         * lease_not_found}, {@code lease_over}, {@code lease_money_open}, {@code journey_not_found}, {@code
         * journey_over}, {@code journey_busy}, {@code journey_money_open}, {@code journey_not_movable}, {@code
         * bill_unusable}, {@code bill_paid}, {@code part_invalid}, {@code part_exceeds_outstanding}, {@code
         * item_not_on_bill}, {@code item_share_taken}, {@code table_payment_id_reused}, {@code
         * card_transaction_unusable}, {@code order_placement_not_found}, {@code order_not_placeable}, {@code
         * epos_cannot_order}, {@code payment_intent_held_for_order}, {@code payment_intent_is_deposit}, {@code
         * reservation_not_found}, {@code party_not_found}, {@code booking_refused}, {@code epos_cannot_book},
         * {@code epos_unreachable}, {@code epos_unanswered}, {@code request_malformed}, {@code request_timeout},
         * {@code header_fields_too_large}, {@code internal_error}.
         */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /**
         * The page about {@code reason} in the error catalogue, relative to the address that was called: the
         * service itself answers it.
         */
        public String documentation() {
            return get("documentation", JsonObject::asText);
        }

        /**
         * Terminals and terminal sessions only. One of {@code INVALID_REQUEST}, {@code TERMINAL_UNAVAILABLE},
         * {@code INTERNAL_ERROR}.
         */
        public String code() {
            return find("code", JsonObject::asText);
        }

        /**
         * With the reason {@code acquirer_lacks_capability}: what the acquirer cannot do. One of {@code
         * separate_capture}, {@code partial_capture}, {@code multiple_captures}, {@code
         * incremental_authorisation}, {@code partial_refund}, {@code multiple_refunds}, {@code
         * unreferenced_refund}, {@code reversal_after_capture}, {@code partial_reversal}, {@code
         * reversal_of_unknown_reference}, {@code challenge}, {@code card_verification}, {@code
         * merchant_initiated}, {@code cardholder_not_present}, {@code booked_list}, {@code currencies}, {@code
         * card_schemes}, {@code wallets}, {@code refund_window}.
         */
        public String capability() {
            return find("capability", JsonObject::asText);
        }

        /** Payers' operations only: {@code status}, in the form of a result. */
        public Long statusCode() {
            return find("statusCode", JsonObject::asLong);
        }

        /** Payers’ operations only: {@code detail}, in the form of a result. */
        public String message() {
            return find("message", JsonObject::asText);
        }

        /** Payers’ operations only: empty, because nothing was approved. One of ``. */
        public String authCode() {
            return find("authCode", JsonObject::asText);
        }

        /** Payers’ operations only: empty, because there is no transaction. One of ``. */
        public String transactionId() {
            return find("transactionId", JsonObject::asText);
        }
    }

    public static final class PublicPaymentIntent extends JsonObject {
        private PublicPaymentIntent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicPaymentIntent of(Object value) {
            return new PublicPaymentIntent(asMembers(value));
        }

        /** Id of the payment intent: {@code pi_sandbox_…} in the sandbox, {@code pi_…} in production. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * {@code Created} unpaid; {@code Authorized} held; {@code Captured} taken; {@code Refunded} taken and
         * returned in full; {@code Reversed} undone; {@code Canceled} given up unpaid. One of {@code Created},
         * {@code Authorized}, {@code Captured}, {@code Reversed}, {@code Refunded}, {@code Canceled}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /**
         * {@code Auto}: the approval takes the money. {@code Manual}: it is held until captures take it. One of
         * {@code Auto}, {@code Manual}.
         */
        public String captureMode() {
            return get("captureMode", JsonObject::asText);
        }

        /** The price, without tip, cashback and service charge. */
        public Money amount() {
            return get("amount", Money::of);
        }

        /** The total for the cardholder: amount, tip, cashback, service charge. */
        public Money totalAmount() {
            return get("totalAmount", Money::of);
        }

        /** The tip; absent until there is one. */
        public Money tipsAmount() {
            return find("tipsAmount", Money::of);
        }

        /** The first amount, once it was changed. */
        public Money requestedAmount() {
            return find("requestedAmount", Money::of);
        }

        /** Minor units. */
        public long refundedAmount() {
            return get("refundedAmount", JsonObject::asLong);
        }

        /** How the payer may pay online: {@code Card}, {@code Wallet}, {@code SavedCard}. */
        public List<String> paymentMethods() {
            return get("paymentMethods", JsonObject.asList(JsonObject::asText));
        }

        /** The integrator’s own reference, as it was sent. It need not be unique. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        /** The integrator’s text about the payment, if one was sent. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        /**
         * While it is unused and unexpired, for a payer and for a key with {@code payments.write} or {@code
         * payments.online}.
         */
        public String clientSessionSecret() {
            return find("clientSessionSecret", JsonObject::asText);
        }

        /**
         * When {@code clientSessionSecret} expires. Always written: without a secret, such as after the payment,
         * it is 0001-01-01T00:00:00Z, which means that there is no time.
         */
        public String clientSessionSecretExpirationDate() {
            return get("clientSessionSecretExpirationDate", JsonObject::asText);
        }

        /** Address of the invoice, as it was sent or the payer entered it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        /** Where the goods go, as it was sent or the payer entered it. */
        public ShippingDetails shippingDetails() {
            return find("shippingDetails", ShippingDetails::of);
        }

        /** What is paid, line by line; empty when no lines were sent. The sum need not be the amount. */
        public List<ItemLine> itemLines() {
            return get("itemLines", JsonObject.asList(ItemLine::of));
        }

        /** Taxes within the amount; empty when none were sent. */
        public List<TaxLine> taxLines() {
            return get("taxLines", JsonObject.asList(TaxLine::of));
        }

        /** What the payment page displays and requires. */
        public CheckoutConfig config() {
            return get("config", CheckoutConfig::of);
        }

        /** What the merchant accepts. */
        public MerchantConfig merchantConfig() {
            return get("merchantConfig", MerchantConfig::of);
        }

        /**
         * Where the intent was created: {@code api}, {@code virtual-terminal}, {@code payment-links} (the
         * portal) or {@code pay-at-table}. One of {@code api}, {@code virtual-terminal}, {@code payment-links},
         * {@code pay-at-table}.
         */
        public String paymentSource() {
            return get("paymentSource", JsonObject::asText);
        }

        /** When the intent was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the intent was changed last; moves with every stored change. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /**
         * The payer, as far as they are known; absent otherwise, and after the payment for all but the page that
         * has paid.
         */
        public PublicPaymentIntentCustomer customer() {
            return find("customer", PublicPaymentIntentCustomer::of);
        }

        /**
         * Steps of all attempts without their cards, oldest first. {@code transactionId} is present for the page
         * of the attempt only.
         */
        public List<PublicPaymentIntentPaymentEvent> paymentEvents() {
            return get("paymentEvents", JsonObject.asList(PublicPaymentIntentPaymentEvent::of));
        }

        /** Only the id of the location; the integrator’s own additions are left out. */
        public PublicPaymentIntentMetadata metadata() {
            return get("metadata", PublicPaymentIntentMetadata::of);
        }
    }

    /**
     * The payer, as far as they are known; absent otherwise, and after the payment for all but the page that has
     * paid.
     */
    public static final class PublicPaymentIntentCustomer extends JsonObject {
        private PublicPaymentIntentCustomer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicPaymentIntentCustomer of(Object value) {
            return new PublicPaymentIntentCustomer(asMembers(value));
        }

        /** Id of the stored customer ({@code cust_…}); absent when the intent names none. */
        public String customerId() {
            return find("customerId", JsonObject::asText);
        }

        /** Equal to {@code customerId}. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        /** E-mail address of the payer, so that the page need not ask for it. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }
    }

    /** Only the id of the location; the integrator’s own additions are left out. */
    public static final class PublicPaymentIntentMetadata extends JsonObject {
        private PublicPaymentIntentMetadata(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicPaymentIntentMetadata of(Object value) {
            return new PublicPaymentIntentMetadata(asMembers(value));
        }

        /** Id of the location ({@code loc_…}) of the account, set by the service. */
        public String locationId() {
            return get("location-id", JsonObject::asText);
        }
    }

    public static final class PublicPaymentIntentPaymentEvent extends JsonObject {
        private PublicPaymentIntentPaymentEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicPaymentIntentPaymentEvent of(Object value) {
            return new PublicPaymentIntentPaymentEvent(asMembers(value));
        }

        /**
         * What happened. {@code AuthChallenged}: the issuer asked for 3-D Secure. {@code Error}: the attempt
         * failed without a decision of the issuer. One of {@code Created}, {@code Authorized}, {@code Captured},
         * {@code Reversed}, {@code Refunded}, {@code Canceled}, {@code AuthChallenged}, {@code Declined}, {@code
         * ManualAuthReady}, {@code Error}, {@code Unknown}.
         */
        public String eventType() {
            return get("eventType", JsonObject::asText);
        }

        /** UUID of the attempt; absent for steps that belong to none, such as a cancellation. */
        public String transactionId() {
            return find("transactionId", JsonObject::asText);
        }

        /** When the step happened. */
        public String transactionDateTime() {
            return get("transactionDateTime", JsonObject::asText);
        }
    }

    public static final class PublicReceiptRequest extends JsonObject {
        public PublicReceiptRequest() {
            super(new LinkedHashMap<>());
        }

        private PublicReceiptRequest(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicReceiptRequest of(Object value) {
            return new PublicReceiptRequest(asMembers(value));
        }

        /** The address that gets the customer’s copy. */
        public String email() {
            return get("email", JsonObject::asText);
        }

        public PublicReceiptRequest email(String value) {
            put("email", value);
            return this;
        }
    }

    public static final class PublicSetupIntent extends JsonObject {
        private PublicSetupIntent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicSetupIntent of(Object value) {
            return new PublicSetupIntent(asMembers(value));
        }

        /** Id of the setup intent: {@code si_sandbox_…} in the sandbox, {@code si_…} in production. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * {@code Created} without a card; {@code Authorized} its card can be charged; {@code Completed} charged;
         * {@code Canceled} or {@code Closed} given up before or after a card; {@code Expired} or {@code
         * CardExpired} too late. One of {@code Created}, {@code Authorized}, {@code Expired}, {@code
         * CardExpired}, {@code Canceled}, {@code Completed}, {@code Closed}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /**
         * Why the merchant may charge later: {@code NoShow} for a missed booking, {@code Unscheduled} for other
         * agreed charges. One of {@code NoShow}, {@code Unscheduled}.
         */
        public String merchantInitiatedTransactionType() {
            return get("merchantInitiatedTransactionType", JsonObject::asText);
        }

        /** What the payer agrees to. */
        public String terms() {
            return get("terms", JsonObject::asText);
        }

        /** The most that may be charged. */
        public Money intendedAmount() {
            return find("intendedAmount", Money::of);
        }

        /** How the payer may authorise: {@code Card}, {@code Wallet}, {@code SavedCard}. */
        public List<String> paymentMethods() {
            return get("paymentMethods", JsonObject.asList(JsonObject::asText));
        }

        /** The integrator’s own reference, as it was sent. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        /** The integrator’s text, if one was sent. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        /** While it is unused and unexpired, for a payer and for a key with {@code setup.write}. */
        public String clientSessionSecret() {
            return find("clientSessionSecret", JsonObject::asText);
        }

        /**
         * When {@code clientSessionSecret} expires. Always written: without a secret, such as after the payment,
         * it is 0001-01-01T00:00:00Z, which means that there is no time.
         */
        public String clientSessionSecretExpirationDate() {
            return get("clientSessionSecretExpirationDate", JsonObject::asText);
        }

        /** Address of the invoice, as it was sent or the payer entered it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        /** Where goods go, if it was sent. */
        public ShippingDetails shippingDetails() {
            return find("shippingDetails", ShippingDetails::of);
        }

        /** The order that it belongs to, if it was sent. */
        public OrderDetails orderDetails() {
            return find("orderDetails", OrderDetails::of);
        }

        /** What the hosted page displays and requires. */
        public CheckoutConfig config() {
            return get("config", CheckoutConfig::of);
        }

        /** There are no wallets here. */
        public MerchantConfig merchantConfig() {
            return get("merchantConfig", MerchantConfig::of);
        }

        /**
         * Where the setup intent was created. One of {@code api}, {@code virtual-terminal}, {@code
         * payment-links}, {@code pay-at-table}.
         */
        public String paymentSource() {
            return get("paymentSource", JsonObject::asText);
        }

        /** When a setup intent without a card becomes {@code Expired}. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }

        /** When the setup intent was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the setup intent was changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /**
         * The payer, as far as they are known; absent otherwise, and after the setup for all but the page of the
         * payer.
         */
        public PublicSetupIntentCustomer customer() {
            return find("customer", PublicSetupIntentCustomer::of);
        }

        /** Only the id of the location; the integrator’s own additions are left out. */
        public PublicSetupIntentMetadata metadata() {
            return get("metadata", PublicSetupIntentMetadata::of);
        }

        /**
         * Outcome of the last attempt without the card; absent before the first, and for all but the page of the
         * attempt.
         */
        public PublicSetupIntentPaymentDetails paymentDetails() {
            return find("paymentDetails", PublicSetupIntentPaymentDetails::of);
        }
    }

    /**
     * The payer, as far as they are known; absent otherwise, and after the setup for all but the page of the
     * payer.
     */
    public static final class PublicSetupIntentCustomer extends JsonObject {
        private PublicSetupIntentCustomer(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicSetupIntentCustomer of(Object value) {
            return new PublicSetupIntentCustomer(asMembers(value));
        }

        /** Id of the stored customer ({@code cust_…}); absent when the intent names none. */
        public String customerId() {
            return find("customerId", JsonObject::asText);
        }

        /** Equal to {@code customerId}. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        /** E-mail address of the payer, so that the page need not ask for it. */
        public String emailAddress() {
            return find("emailAddress", JsonObject::asText);
        }
    }

    /** Only the id of the location; the integrator’s own additions are left out. */
    public static final class PublicSetupIntentMetadata extends JsonObject {
        private PublicSetupIntentMetadata(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicSetupIntentMetadata of(Object value) {
            return new PublicSetupIntentMetadata(asMembers(value));
        }

        /** Id of the location ({@code loc_…}) of the account, set by the service. */
        public String locationId() {
            return get("location-id", JsonObject::asText);
        }
    }

    /**
     * Outcome of the last attempt without the card; absent before the first, and for all but the page of the
     * attempt.
     */
    public static final class PublicSetupIntentPaymentDetails extends JsonObject {
        private PublicSetupIntentPaymentDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static PublicSetupIntentPaymentDetails of(Object value) {
            return new PublicSetupIntentPaymentDetails(asMembers(value));
        }

        /** UUID of the transaction; the same as {@code id} in the listing of transactions. */
        public String transactionId() {
            return get("transactionId", JsonObject::asText);
        }

        /** When the acquirer decided. */
        public String transactionDateTime() {
            return get("transactionDateTime", JsonObject::asText);
        }

        /**
         * Outcome of the last step: {@code DEPOSITED} captured, {@code AUTHORIZED} held, and so on. One of
         * {@code DEPOSITED}, {@code AUTHORIZED}, {@code DECLINED}, {@code REFERRED}, {@code REVERSED}, {@code
         * REFUNDED}, {@code FAILED}.
         */
        public String message() {
            return get("message", JsonObject::asText);
        }
    }

    public static final class ReadMailboxQuery extends JsonObject {
        public ReadMailboxQuery() {
            super(new LinkedHashMap<>());
        }

        private ReadMailboxQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReadMailboxQuery of(Object value) {
            return new ReadMailboxQuery(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public ReadMailboxQuery limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public ReadMailboxQuery before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public ReadMailboxQuery after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class ReadPaymentIntentQuery extends JsonObject {
        public ReadPaymentIntentQuery() {
            super(new LinkedHashMap<>());
        }

        private ReadPaymentIntentQuery(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReadPaymentIntentQuery of(Object value) {
            return new ReadPaymentIntentQuery(asMembers(value));
        }

        /** Also answer when the intent is Canceled. */
        public Boolean returnCanceled() {
            return find("returnCanceled", JsonObject::asBoolean);
        }

        public ReadPaymentIntentQuery returnCanceled(Boolean value) {
            put("returnCanceled", value);
            return this;
        }
    }

    public static final class Receipt extends JsonObject {
        private Receipt(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Receipt of(Object value) {
            return new Receipt(asMembers(value));
        }

        /** Lines from top to bottom. */
        public List<ReceiptLine> lines() {
            return get("lines", JsonObject.asList(ReceiptLine::of));
        }
    }

    public static final class ReceiptLine extends JsonObject {
        private ReceiptLine(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReceiptLine of(Object value) {
            return new ReceiptLine(asMembers(value));
        }

        /**
         * What the line is. A line with text or a logo has the member for it; the others have none. One of
         * {@code Text}, {@code LogoImage}, {@code NewLine}, {@code SingleLineSeperator}, {@code
         * DoubleLineSeperator}.
         */
        public String lineType() {
            return get("lineType", JsonObject::asText);
        }

        /** Present when {@code lineType} is {@code Text}. */
        public ReceiptLineText text() {
            return find("text", ReceiptLineText::of);
        }

        /** Present when {@code lineType} is {@code LogoImage}. */
        public ReceiptLineImageLogo imageLogo() {
            return find("imageLogo", ReceiptLineImageLogo::of);
        }
    }

    /** Present when {@code lineType} is {@code LogoImage}. */
    public static final class ReceiptLineImageLogo extends JsonObject {
        private ReceiptLineImageLogo(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReceiptLineImageLogo of(Object value) {
            return new ReceiptLineImageLogo(asMembers(value));
        }

        /** The picture to print. */
        public String value() {
            return get("value", JsonObject::asText);
        }

        /** Where the picture is placed. One of {@code AlignLeft}, {@code AlignCenter}, {@code AlignRight}. */
        public String align() {
            return get("align", JsonObject::asText);
        }
    }

    /** Present when {@code lineType} is {@code Text}. */
    public static final class ReceiptLineText extends JsonObject {
        private ReceiptLineText(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReceiptLineText of(Object value) {
            return new ReceiptLineText(asMembers(value));
        }

        /** The words to print. */
        public String value() {
            return get("value", JsonObject::asText);
        }

        /** Size of the letters. One of {@code SizeHeader1}, {@code SizeHeader2}, {@code SizeBody}. */
        public String size() {
            return get("size", JsonObject::asText);
        }

        /**
         * Where the words are placed on the line. One of {@code AlignLeft}, {@code AlignCenter}, {@code
         * AlignRight}.
         */
        public String align() {
            return get("align", JsonObject::asText);
        }

        /** True: print in bold. */
        public boolean emphasisBold() {
            return get("emphasisBold", JsonObject::asBoolean);
        }
    }

    public static final class ReceiptRequest extends JsonObject {
        public ReceiptRequest() {
            super(new LinkedHashMap<>());
        }

        private ReceiptRequest(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReceiptRequest of(Object value) {
            return new ReceiptRequest(asMembers(value));
        }

        /** Addresses that get the customer’s copy, each once. */
        public List<String> emails() {
            return get("emails", JsonObject.asList(JsonObject::asText));
        }

        public ReceiptRequest emails(List<String> value) {
            put("emails", value);
            return this;
        }
    }

    public static final class Reconciliation extends JsonObject {
        private Reconciliation(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Reconciliation of(Object value) {
            return new Reconciliation(asMembers(value));
        }

        /**
         * Every day before it was compared with the acquirers’ books by the daily check, except {@code
         * uncomparedDays}.
         */
        public String reconciledTo() {
            return find("reconciledTo", JsonObject::asText);
        }

        /** When the books of an acquirer were compared last. */
        public String listComparedAt() {
            return find("listComparedAt", JsonObject::asText);
        }

        /**
         * Which acquirers’ books could not be read in the last attempt, and why; the next attempt follows within
         * 15 minutes.
         */
        public String listError() {
            return find("listError", JsonObject::asText);
        }

        /** The start of a requested run that has not finished yet. */
        public String requestedFrom() {
            return find("requestedFrom", JsonObject::asText);
        }

        /** The end of a requested run that has not finished yet. */
        public String requestedTo() {
            return find("requestedTo", JsonObject::asText);
        }

        /** Days whose comparison with an acquirer is incomplete, oldest first; at most a thousand. */
        public List<UncomparedDay> uncomparedDays() {
            return get("uncomparedDays", JsonObject.asList(UncomparedDay::of));
        }

        /** When the chains of all records were checked last. */
        public String chainsCheckedAt() {
            return find("chainsCheckedAt", JsonObject::asText);
        }
    }

    public static final class ReconciliationDifference extends JsonObject {
        private ReconciliationDifference(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReconciliationDifference of(Object value) {
            return new ReconciliationDifference(asMembers(value));
        }

        /** UUID of the difference. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * {@code NotAskedFor}: the acquirer booked a transaction that we did not request. {@code OtherKind},
         * {@code OtherAmount}: it booked another kind or amount. {@code SettledAmount}: the lines of its
         * settlement files sum to another amount than we requested. {@code NotApproved}: it booked a transaction
         * that is declined or reversed in our books. {@code NotBooked}: it has not booked a transaction of our
         * books. {@code ListingSum}: the transactions of a payment do not sum to what the ledger keeps. {@code
         * BrokenChain}: records of a payment intent, a setup intent or an unlinked refund are not as they were
         * written. One of {@code NotAskedFor}, {@code OtherKind}, {@code OtherAmount}, {@code SettledAmount},
         * {@code NotApproved}, {@code NotBooked}, {@code ListingSum}, {@code BrokenChain}, {@code
         * UnprovedRecord}.
         */
        public String kind() {
            return get("kind", JsonObject::asText);
        }

        /** Of the call to the acquirer; of the last two kinds the id they are about. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        /** Id of the payment intent ({@code pi_…}); absent when none is known. */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        /** The money at stake, where there is one amount. */
        public Money amount() {
            return find("amount", Money::of);
        }

        /** The value in our books. */
        public String ours() {
            return find("ours", JsonObject::asText);
        }

        /** The value in the other books. */
        public String theirs() {
            return find("theirs", JsonObject::asText);
        }

        /** The difference in a sentence. */
        public String says() {
            return get("says", JsonObject::asText);
        }

        /**
         * {@code Open} until it is answered; {@code Closed} once a check does not find it any more. One of
         * {@code Open}, {@code Answered}, {@code Closed}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** When it was booked or requested. */
        public String happenedAt() {
            return get("happenedAt", JsonObject::asText);
        }

        /** When a check found it first. */
        public String firstSeenAt() {
            return get("firstSeenAt", JsonObject::asText);
        }

        /** When a check found it last. */
        public String lastSeenAt() {
            return get("lastSeenAt", JsonObject::asText);
        }
    }

    public static final class ReconciliationDifferencePage extends JsonObject {
        private ReconciliationDifferencePage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReconciliationDifferencePage of(Object value) {
            return new ReconciliationDifferencePage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<ReconciliationDifference> data() {
            return get("data", JsonObject.asList(ReconciliationDifference::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class ReconciliationStart extends JsonObject {
        public ReconciliationStart() {
            super(new LinkedHashMap<>());
        }

        private ReconciliationStart(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReconciliationStart of(Object value) {
            return new ReconciliationStart(asMembers(value));
        }

        /** Inclusive; at most 31 days before {@code to}. */
        public String from() {
            return get("from", JsonObject::asText);
        }

        public ReconciliationStart from(String value) {
            put("from", value);
            return this;
        }

        /** Exclusive; now when not sent. */
        public String to() {
            return find("to", JsonObject::asText);
        }

        public ReconciliationStart to(String value) {
            put("to", value);
            return this;
        }

        /** Why; kept in the audit log. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        public ReconciliationStart note(String value) {
            put("note", value);
            return this;
        }
    }

    public static final class Refund extends JsonObject {
        private Refund(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Refund of(Object value) {
            return new Refund(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}) whose money was returned. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /** Id of the refund ({@code rfnd_…}). */
        public String refundId() {
            return get("refundId", JsonObject::asText);
        }

        /** The reason that was sent; absent if none was. */
        public String refundReason() {
            return find("refundReason", JsonObject::asText);
        }

        /** The notes that were sent; absent if none were. */
        public String notes() {
            return find("notes", JsonObject::asText);
        }

        /** Always {@code REFUNDED}: the acquirer has accepted the refund. One of {@code REFUNDED}. */
        public String message() {
            return get("message", JsonObject::asText);
        }
    }

    public static final class Replay extends JsonObject {
        public Replay() {
            super(new LinkedHashMap<>());
        }

        private Replay(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Replay of(Object value) {
            return new Replay(asMembers(value));
        }

        /** Inclusive, by {@code createdAt} of the event. */
        public String from() {
            return find("from", JsonObject::asText);
        }

        public Replay from(String value) {
            put("from", value);
            return this;
        }

        /** Exclusive; now when not sent. */
        public String to() {
            return find("to", JsonObject::asText);
        }

        public Replay to(String value) {
            put("to", value);
            return this;
        }

        /**
         * The states of deliveries to replay; DeadLettered when not sent. {@code NotSubscribed}: no subscription
         * had its kind then.
         */
        public List<String> states() {
            return find("states", JsonObject.asList(JsonObject::asText));
        }

        public Replay states(List<String> value) {
            put("states", value);
            return this;
        }
    }

    public static final class Replayed extends JsonObject {
        private Replayed(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Replayed of(Object value) {
            return new Replayed(asMembers(value));
        }

        /** How many events are sent again. */
        public long queued() {
            return get("queued", JsonObject::asLong);
        }
    }

    public static final class RequestActivity extends JsonObject {
        private RequestActivity(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RequestActivity of(Object value) {
            return new RequestActivity(asMembers(value));
        }

        /** Id of the entry; its form has no meaning. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** When it began. */
        public String at() {
            return get("at", JsonObject::asText);
        }

        /**
         * The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook,
         * the new status of a change, or what a machine reported.
         */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** The trace of the request: 32 hex digits, as in the header {@code trace-id}. */
        public String traceId() {
            return get("traceId", JsonObject::asText);
        }

        /**
         * How the request ended: done, refused by a rule, or failed. One of {@code Succeeded}, {@code Refused},
         * {@code Failed}.
         */
        public String outcome() {
            return get("outcome", JsonObject::asText);
        }

        /** The HTTP status, where there is one. */
        public Long status() {
            return find("status", JsonObject::asLong);
        }

        /** The code of the refusal, or why it failed. */
        public String reason() {
            return find("reason", JsonObject::asText);
        }

        /** How long it took, in milliseconds; absent where it is not measured. */
        public Long tookMs() {
            return find("tookMs", JsonObject::asLong);
        }

        /** HTTP method; absent where there was none. */
        public String method() {
            return find("method", JsonObject::asText);
        }

        /** Path that was called; absent where there was none. */
        public String path() {
            return find("path", JsonObject::asText);
        }

        /** Whether the request had an idempotency key. */
        public Boolean hasIdempotencyKey() {
            return find("hasIdempotencyKey", JsonObject::asBoolean);
        }

        /** Members that are not listed for the log have the value {@code [not recorded]}; a long body is cut. */
        public Map<String, Object> request() {
            return find("request", JsonObject.asMap(JsonObject::asIs));
        }

        /** Members that are not listed for the log have the value {@code [not recorded]}; a long body is cut. */
        public Map<String, Object> answer() {
            return find("answer", JsonObject.asMap(JsonObject::asIs));
        }

        /** The API key; absent for a request of a payer. */
        public String keyId() {
            return find("keyId", JsonObject::asText);
        }

        /** The payment, session or setup that it is about; absent for a successful read. */
        public String subjectId() {
            return find("subjectId", JsonObject::asText);
        }
    }

    public static final class RequestActivityPage extends JsonObject {
        private RequestActivityPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RequestActivityPage of(Object value) {
            return new RequestActivityPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<RequestActivity> data() {
            return get("data", JsonObject.asList(RequestActivity::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    /** The payer's device. */
    public static final class RequestSecurity extends JsonObject {
        public RequestSecurity() {
            super(new LinkedHashMap<>());
        }

        private RequestSecurity(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RequestSecurity of(Object value) {
            return new RequestSecurity(asMembers(value));
        }

        /** The header {@code User-Agent} of the payer’s browser, as the integrator received it. */
        public String userAgent() {
            return find("userAgent", JsonObject::asText);
        }

        public RequestSecurity userAgent(String value) {
            put("userAgent", value);
            return this;
        }

        /** The IP address from which the payer orders. */
        public String ipAddress() {
            return find("ipAddress", JsonObject::asText);
        }

        public RequestSecurity ipAddress(String value) {
            put("ipAddress", value);
            return this;
        }

        /** The kind or name of the payer’s device, in the integrator’s words. */
        public String device() {
            return find("device", JsonObject::asText);
        }

        public RequestSecurity device(String value) {
            put("device", value);
            return this;
        }
    }

    public static final class Reservation extends JsonObject {
        private Reservation(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Reservation of(Object value) {
            return new Reservation(asMembers(value));
        }

        /** Id of the reservation, unique within the EPOS of the account. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Name under which the table is reserved. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /** How many people are expected. */
        public long covers() {
            return get("covers", JsonObject::asLong);
        }

        /** When the reservation begins. */
        public String startTime() {
            return get("startTime", JsonObject::asText);
        }

        /** When the table is free again. */
        public String endTime() {
            return get("endTime", JsonObject::asText);
        }

        /** Ids of the reserved tables. */
        public List<String> tableIds() {
            return get("tableIds", JsonObject.asList(JsonObject::asText));
        }

        /** Notes of the staff. Do not show them to guests. */
        public String hostNotes() {
            return find("hostNotes", JsonObject::asText);
        }

        /** The guest's words. */
        public String guestRequests() {
            return find("guestRequests", JsonObject::asText);
        }
    }

    public static final class ReservationPage extends JsonObject {
        private ReservationPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ReservationPage of(Object value) {
            return new ReservationPage(asMembers(value));
        }

        /** The elements of this page, in the order of the EPOS. */
        public List<Reservation> data() {
            return get("data", JsonObject.asList(Reservation::of));
        }

        /** Cursor of the previous page; null when there is none. */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the next page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }

        /** How many elements of the page were left out because they cannot be read; absent when all can. */
        public Long unreadableCount() {
            return find("unreadableCount", JsonObject::asLong);
        }
    }

    public static final class RestIntegration extends JsonObject {
        private RestIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RestIntegration of(Object value) {
            return new RestIntegration(asMembers(value));
        }

        /** Address of the EPOS, to which {@code /v1/…} is appended. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        /** How the service authenticates itself at the EPOS. */
        public EposAuth auth() {
            return get("auth", EposAuth::of);
        }

        /** What the EPOS can do. Nothing else is called. */
        public List<EposCapability> capabilities() {
            return get("capabilities", JsonObject.asList(EposCapability::of));
        }

        /** When it was registered. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    public static final class Reversal extends JsonObject {
        private Reversal(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Reversal of(Object value) {
            return new Reversal(asMembers(value));
        }

        /** Always {@code REVERSED}: the acquirer has undone the payment. One of {@code REVERSED}. */
        public String message() {
            return get("message", JsonObject::asText);
        }

        /** Id of the reversal ({@code rvs_…}). */
        public String reversalId() {
            return get("reversalId", JsonObject::asText);
        }
    }

    public static final class Run extends JsonObject {
        private Run(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Run of(Object value) {
            return new Run(asMembers(value));
        }

        /** UUID of the run. */
        public String flowID() {
            return get("flowID", JsonObject::asText);
        }

        /** Name of the flow that runs. */
        public String flowName() {
            return get("flowName", JsonObject::asText);
        }

        /**
         * The worst status of the steps so far, or {@code IN_PROGRESS} while it runs. One of {@code
         * IN_PROGRESS}, {@code SUCCESS}, {@code FAILURE}, {@code TIMED_OUT}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** When the run started. */
        public String startedAt() {
            return get("startedAt", JsonObject::asText);
        }

        /** When the run ended; absent while it runs. */
        public String finishedAt() {
            return find("finishedAt", JsonObject::asText);
        }

        /** Steps in their order. Steps after a failure are absent, except the cleanup. */
        public List<RunStep> steps() {
            return get("steps", JsonObject.asList(RunStep::of));
        }
    }

    public static final class RunStep extends JsonObject {
        private RunStep(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RunStep of(Object value) {
            return new RunStep(asMembers(value));
        }

        /** Name of the step. */
        public String name() {
            return get("name", JsonObject::asText);
        }

        /**
         * {@code SUCCESS}, {@code FAILURE}, {@code TIMED_OUT} or, while it runs, {@code IN_PROGRESS}. One of
         * {@code IN_PROGRESS}, {@code SUCCESS}, {@code FAILURE}, {@code TIMED_OUT}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** When the step started. */
        public String startedAt() {
            return get("startedAt", JsonObject::asText);
        }

        /** When the step ended; absent while it runs. */
        public String finishedAt() {
            return find("finishedAt", JsonObject::asText);
        }

        /** Requests, answers and failed checks, one line each; without secrets. */
        public List<String> additionalInformation() {
            return get("additionalInformation", JsonObject.asList(JsonObject::asText));
        }
    }

    public static final class RunSummary extends JsonObject {
        private RunSummary(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RunSummary of(Object value) {
            return new RunSummary(asMembers(value));
        }

        /** UUID of the run. */
        public String flowID() {
            return get("flowID", JsonObject::asText);
        }

        /** Name of the flow that runs. */
        public String flowName() {
            return get("flowName", JsonObject::asText);
        }

        /**
         * The worst status of the steps so far, or {@code IN_PROGRESS} while it runs. One of {@code
         * IN_PROGRESS}, {@code SUCCESS}, {@code FAILURE}, {@code TIMED_OUT}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** When the run started. */
        public String startedAt() {
            return get("startedAt", JsonObject::asText);
        }

        /** When the run ended; absent while it runs. */
        public String finishedAt() {
            return find("finishedAt", JsonObject::asText);
        }

        /** How many steps began. */
        public long stepCount() {
            return get("stepCount", JsonObject::asLong);
        }

        /** Name of the first step that failed; absent when none did. */
        public String failedStep() {
            return find("failedStep", JsonObject::asText);
        }
    }

    public static final class RunSummaryPage extends JsonObject {
        private RunSummaryPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static RunSummaryPage of(Object value) {
            return new RunSummaryPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<RunSummary> data() {
            return get("data", JsonObject.asList(RunSummary::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class SandboxEpos extends JsonObject {
        private SandboxEpos(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SandboxEpos of(Object value) {
            return new SandboxEpos(asMembers(value));
        }

        /** False: the EPOS of the sandbox does not connect for this account. */
        public boolean isEnabled() {
            return get("isEnabled", JsonObject::asBoolean);
        }
    }

    public static final class SandboxMail extends JsonObject {
        private SandboxMail(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SandboxMail of(Object value) {
            return new SandboxMail(asMembers(value));
        }

        /** UUID of the mail. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Id of the payment intent ({@code pi_…}) that the receipt is about. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /** The receiver’s address. */
        public String to() {
            return get("to", JsonObject::asText);
        }

        /** Subject line of the mail. */
        public String subject() {
            return get("subject", JsonObject::asText);
        }

        /** The receipt as plain text. */
        public String text() {
            return get("text", JsonObject::asText);
        }

        /** The same receipt as HTML. */
        public String html() {
            return get("html", JsonObject::asText);
        }

        /** When the mail was requested. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    public static final class SandboxMailPage extends JsonObject {
        private SandboxMailPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SandboxMailPage of(Object value) {
            return new SandboxMailPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<SandboxMail> data() {
            return get("data", JsonObject.asList(SandboxMail::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class SavedPaymentMethod extends JsonObject {
        private SavedPaymentMethod(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SavedPaymentMethod of(Object value) {
            return new SavedPaymentMethod(asMembers(value));
        }

        /** Id of the saved card ({@code pm_…}); pay with it by {@code paymentMethodId}. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** What may be displayed of the card. */
        public SavedPaymentMethodCardDetails cardDetails() {
            return get("cardDetails", SavedPaymentMethodCardDetails::of);
        }
    }

    /** What may be displayed of the card. */
    public static final class SavedPaymentMethodCardDetails extends JsonObject {
        private SavedPaymentMethodCardDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SavedPaymentMethodCardDetails of(Object value) {
            return new SavedPaymentMethodCardDetails(asMembers(value));
        }

        /** First 8 digits, {@code ****}, last 4. */
        public String pan() {
            return get("pan", JsonObject::asText);
        }

        /** Last day of the expiry month. */
        public String expiryDate() {
            return get("expiryDate", JsonObject::asText);
        }

        /**
         * Scheme of the card; absent when it is not known. One of {@code VISA}, {@code MASTERCARD}, {@code
         * MAESTRO}, {@code DISCOVER}, {@code DCI}, {@code AMEX}.
         */
        public String scheme() {
            return find("scheme", JsonObject::asText);
        }
    }

    /** Set up by the operator of the service. */
    public static final class ServiceManagedIntegration extends JsonObject {
        private ServiceManagedIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ServiceManagedIntegration of(Object value) {
            return new ServiceManagedIntegration(asMembers(value));
        }

        /** What the EPOS can do. Nothing else is called. */
        public List<EposCapability> capabilities() {
            return get("capabilities", JsonObject.asList(EposCapability::of));
        }

        /** When it was set up. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    /** Exactly the member of the same theme as {@code sessionType}. */
    public static final class SessionDetails extends JsonObject {
        private SessionDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SessionDetails of(Object value) {
            return new SessionDetails(asMembers(value));
        }

        /**
         * {@code Sale} takes a payment, {@code MatchedRefund} refunds one, {@code UnlinkedRefund} refunds
         * without one. One of {@code Sale}, {@code MatchedRefund}, {@code UnlinkedRefund}.
         */
        public String sessionType() {
            return get("sessionType", JsonObject::asText);
        }

        /** Present for a {@code Sale}. */
        public SessionDetailsSale sale() {
            return find("sale", SessionDetailsSale::of);
        }

        /** Present for a {@code MatchedRefund}. */
        public SessionDetailsMatchedRefund matchedRefund() {
            return find("matchedRefund", SessionDetailsMatchedRefund::of);
        }

        /** Present for an {@code UnlinkedRefund}. */
        public SessionDetailsUnlinkedRefund unlinkedRefund() {
            return find("unlinkedRefund", SessionDetailsUnlinkedRefund::of);
        }
    }

    /** Present for a {@code MatchedRefund}. */
    public static final class SessionDetailsMatchedRefund extends JsonObject {
        private SessionDetailsMatchedRefund(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SessionDetailsMatchedRefund of(Object value) {
            return new SessionDetailsMatchedRefund(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}) that is refunded. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }

        /** What is returned to the card. */
        public Money amount() {
            return get("amount", Money::of);
        }
    }

    /** Present for a {@code Sale}. */
    public static final class SessionDetailsSale extends JsonObject {
        private SessionDetailsSale(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SessionDetailsSale of(Object value) {
            return new SessionDetailsSale(asMembers(value));
        }

        /** Id of the payment intent ({@code pi_…}) that is paid. */
        public String paymentIntentId() {
            return get("paymentIntentId", JsonObject::asText);
        }
    }

    /** Present for an {@code UnlinkedRefund}. */
    public static final class SessionDetailsUnlinkedRefund extends JsonObject {
        private SessionDetailsUnlinkedRefund(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SessionDetailsUnlinkedRefund of(Object value) {
            return new SessionDetailsUnlinkedRefund(asMembers(value));
        }

        /** What is returned to the card. */
        public Money amount() {
            return get("amount", Money::of);
        }

        /** True: the card is keyed in without the cardholder. */
        public boolean cardholderNotPresent() {
            return get("cardholderNotPresent", JsonObject::asBoolean);
        }
    }

    public static final class SetupIntent extends JsonObject {
        private SetupIntent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SetupIntent of(Object value) {
            return new SetupIntent(asMembers(value));
        }

        /** Id of the setup intent: {@code si_sandbox_…} in the sandbox, {@code si_…} in production. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * {@code Created} without a card; {@code Authorized} its card can be charged; {@code Completed} charged;
         * {@code Canceled} or {@code Closed} given up before or after a card; {@code Expired} or {@code
         * CardExpired} too late. One of {@code Created}, {@code Authorized}, {@code Expired}, {@code
         * CardExpired}, {@code Canceled}, {@code Completed}, {@code Closed}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /**
         * Why the merchant may charge later: {@code NoShow} for a missed booking, {@code Unscheduled} for other
         * agreed charges. One of {@code NoShow}, {@code Unscheduled}.
         */
        public String merchantInitiatedTransactionType() {
            return get("merchantInitiatedTransactionType", JsonObject::asText);
        }

        /** What the payer agrees to. */
        public String terms() {
            return get("terms", JsonObject::asText);
        }

        /** The most that may be charged. */
        public Money intendedAmount() {
            return find("intendedAmount", Money::of);
        }

        /** How the payer may authorise: {@code Card}, {@code Wallet}, {@code SavedCard}. */
        public List<String> paymentMethods() {
            return get("paymentMethods", JsonObject.asList(JsonObject::asText));
        }

        /** The integrator’s own reference, as it was sent. */
        public String reference() {
            return get("reference", JsonObject::asText);
        }

        /** The integrator’s text, if one was sent. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        /** While it is unused and unexpired, for a payer and for a key with {@code setup.write}. */
        public String clientSessionSecret() {
            return find("clientSessionSecret", JsonObject::asText);
        }

        /**
         * When {@code clientSessionSecret} expires. Always written: without a secret, such as after the payment,
         * it is 0001-01-01T00:00:00Z, which means that there is no time.
         */
        public String clientSessionSecretExpirationDate() {
            return get("clientSessionSecretExpirationDate", JsonObject::asText);
        }

        /** Address of the invoice, as it was sent or the payer entered it. */
        public Address billingAddress() {
            return find("billingAddress", Address::of);
        }

        /** Where goods go, if it was sent. */
        public ShippingDetails shippingDetails() {
            return find("shippingDetails", ShippingDetails::of);
        }

        /** The order that it belongs to, if it was sent. */
        public OrderDetails orderDetails() {
            return find("orderDetails", OrderDetails::of);
        }

        /** What the hosted page displays and requires. */
        public CheckoutConfig config() {
            return get("config", CheckoutConfig::of);
        }

        /** There are no wallets here. */
        public MerchantConfig merchantConfig() {
            return get("merchantConfig", MerchantConfig::of);
        }

        /**
         * Where the setup intent was created. One of {@code api}, {@code virtual-terminal}, {@code
         * payment-links}, {@code pay-at-table}.
         */
        public String paymentSource() {
            return get("paymentSource", JsonObject::asText);
        }

        /** When a setup intent without a card becomes {@code Expired}. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }

        /** When the setup intent was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the setup intent was changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** The payer, as far as they are known; absent otherwise. */
        public IntentCustomer customer() {
            return find("customer", IntentCustomer::of);
        }

        /** The payer’s device, if it was sent. */
        public RequestSecurity requestSecurity() {
            return find("requestSecurity", RequestSecurity::of);
        }

        /** Always holds {@code location-id}. */
        public Map<String, Object> metadata() {
            return get("metadata", JsonObject.asMap(JsonObject::asIs));
        }

        /** Outcome of the last attempt to authorise the card; absent before the first. */
        public SetupOutcome paymentDetails() {
            return find("paymentDetails", SetupOutcome::of);
        }

        /** Address of the hosted page on which the payer enters the card; present while it is {@code Created}. */
        public String setupLink() {
            return find("setupLink", JsonObject::asText);
        }

        /** Steps of all attempts, oldest first; empty until the first. */
        public List<PaymentEvent> setupEvents() {
            return get("setupEvents", JsonObject.asList(PaymentEvent::of));
        }
    }

    /** How the last attempt to authorise the card came out. */
    public static final class SetupOutcome extends JsonObject {
        private SetupOutcome(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SetupOutcome of(Object value) {
            return new SetupOutcome(asMembers(value));
        }

        /** UUID of the transaction; the same as {@code id} in the listing of transactions. */
        public String transactionId() {
            return get("transactionId", JsonObject::asText);
        }

        /** How the acquirer names the transaction, where that is no UUID; absent otherwise. */
        public String acquirerTransactionId() {
            return find("acquirerTransactionId", JsonObject::asText);
        }

        /** When the acquirer decided. */
        public String transactionDateTime() {
            return get("transactionDateTime", JsonObject::asText);
        }

        /**
         * Outcome of the last step: {@code DEPOSITED} captured, {@code AUTHORIZED} held, and so on. One of
         * {@code DEPOSITED}, {@code AUTHORIZED}, {@code DECLINED}, {@code REFERRED}, {@code REVERSED}, {@code
         * REFUNDED}, {@code FAILED}.
         */
        public String message() {
            return get("message", JsonObject::asText);
        }

        /** Empty when the card was refused. */
        public String authCode() {
            return get("authCode", JsonObject::asText);
        }

        /** Id of the saved card ({@code pm_…}) that was used or saved; absent otherwise. */
        public String paymentMethodId() {
            return find("paymentMethodId", JsonObject::asText);
        }

        /**
         * How the billing address compares with the issuer’s; absent when there was no check. One of {@code
         * ADDRESS_MATCH_POSTCODE_MATCH}, {@code ADDRESS_MATCH_POSTCODE_MISMATCH}, {@code
         * ADDRESS_MISMATCH_POSTCODE_MATCH}, {@code ADDRESS_MISMATCH_POSTCODE_MISMATCH}, {@code NOT_CHECKED}.
         */
        public String avsResult() {
            return find("avsResult", JsonObject::asText);
        }

        /** The card that was tried, with a masked number; absent when it is not known. */
        public Card card() {
            return find("card", Card::of);
        }
    }

    public static final class ShippingDetails extends JsonObject {
        public ShippingDetails() {
            super(new LinkedHashMap<>());
        }

        private ShippingDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static ShippingDetails of(Object value) {
            return new ShippingDetails(asMembers(value));
        }

        /** Who receives the goods. */
        public String name() {
            return find("name", JsonObject::asText);
        }

        public ShippingDetails name(String value) {
            put("name", value);
            return this;
        }

        /** Instructions for the courier. */
        public String deliveryNotes() {
            return find("deliveryNotes", JsonObject::asText);
        }

        public ShippingDetails deliveryNotes(String value) {
            put("deliveryNotes", value);
            return this;
        }

        /** Where the goods are sent. */
        public Address address() {
            return find("address", Address::of);
        }

        public ShippingDetails address(Address value) {
            put("address", value);
            return this;
        }
    }

    public static final class SignatureDecision extends JsonObject {
        public SignatureDecision() {
            super(new LinkedHashMap<>());
        }

        private SignatureDecision(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SignatureDecision of(Object value) {
            return new SignatureDecision(asMembers(value));
        }

        /** True: the signature is the cardholder’s, and the payment continues. False: the payment is undone. */
        public boolean accepted() {
            return get("accepted", JsonObject::asBoolean);
        }

        public SignatureDecision accepted(boolean value) {
            put("accepted", value);
            return this;
        }
    }

    public static final class StatusEvent extends JsonObject {
        private StatusEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static StatusEvent of(Object value) {
            return new StatusEvent(asMembers(value));
        }

        /**
         * Status that the session reached. One of {@code InitiateRequested}, {@code Initiated}, {@code
         * CancelRequested}, {@code SignatureVerificationRequired}, {@code SignatureVerificationAccepted}, {@code
         * SignatureVerificationRejected}, {@code Authorized}, {@code Captured}, {@code Canceled}, {@code
         * Declined}, {@code Expired}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** When the session reached the status. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** Kept for older integrations: always empty text. */
        public String debugMessage() {
            return get("debugMessage", JsonObject::asText);
        }
    }

    public static final class Subscription extends JsonObject {
        private Subscription(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Subscription of(Object value) {
            return new Subscription(asMembers(value));
        }

        /** Id of the subscription ({@code ws_…}). */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account that the subscription belongs to ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /**
         * The kinds that are sent to {@code url}; each belongs to one subscription of the account and
         * environment.
         */
        public List<String> events() {
            return get("events", JsonObject.asList(JsonObject::asText));
        }

        /** Address to which events are posted. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        /** The integrator’s text about the receiver, if one was sent. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        /** Only while it is paused. */
        public Boolean paused() {
            return find("paused", JsonObject::asBoolean);
        }

        /** All signing secrets, the active one included. */
        public List<WebhookSecret> secrets() {
            return get("secrets", JsonObject.asList(WebhookSecret::of));
        }

        /** The active one. */
        public WebhookSecret secret() {
            return get("secret", WebhookSecret::of);
        }

        /** When the subscription was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the subscription was changed last. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }
    }

    public static final class SubscriptionChange extends JsonObject {
        public SubscriptionChange() {
            super(new LinkedHashMap<>());
        }

        private SubscriptionChange(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SubscriptionChange of(Object value) {
            return new SubscriptionChange(asMembers(value));
        }

        /** All of its kinds from now on. */
        public List<String> events() {
            return find("events", JsonObject.asList(JsonObject::asText));
        }

        public SubscriptionChange events(List<String> value) {
            put("events", value);
            return this;
        }

        /**
         * Also for what waits already. An https address of the public internet. A sandbox of a service that runs
         * for development also calls http on loopback, such as http://localhost:3000/hooks.
         */
        public String url() {
            return find("url", JsonObject::asText);
        }

        public SubscriptionChange url(String value) {
            put("url", value);
            return this;
        }

        /** The new text about the receiver. */
        public String description() {
            return find("description", JsonObject::asText);
        }

        public SubscriptionChange description(String value) {
            put("description", value);
            return this;
        }

        /** While it is true deliveries are held; afterwards they go out, oldest first. */
        public Boolean paused() {
            return find("paused", JsonObject::asBoolean);
        }

        public SubscriptionChange paused(Boolean value) {
            put("paused", value);
            return this;
        }
    }

    public static final class SurplusAmount extends JsonObject {
        public SurplusAmount() {
            super(new LinkedHashMap<>());
        }

        private SurplusAmount(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static SurplusAmount of(Object value) {
            return new SurplusAmount(asMembers(value));
        }

        /** Whole minor units of the currency (pence, cents): 1250 is 12.50. */
        public long value() {
            return get("value", JsonObject::asLong);
        }

        public SurplusAmount value(long value) {
            put("value", value);
            return this;
        }

        /**
         * ISO 4217 code that the account accepts, such as {@code GBP} or {@code EUR}. All amounts of a request
         * have one currency.
         */
        public String currencyCode() {
            return get("currencyCode", JsonObject::asText);
        }

        public SurplusAmount currencyCode(String value) {
            put("currencyCode", value);
            return this;
        }
    }

    public static final class TableLease extends JsonObject {
        private TableLease(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TableLease of(Object value) {
            return new TableLease(asMembers(value));
        }

        /** UUID of the lease. */
        public String leaseId() {
            return get("leaseId", JsonObject::asText);
        }

        /** Account of the restaurant ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** Id of the table session at the EPOS. */
        public String sessionId() {
            return get("sessionId", JsonObject::asText);
        }

        /** Where the EPOS keeps orders. */
        public String orderId() {
            return find("orderId", JsonObject::asText);
        }

        /** The id of our lock on the order. */
        public String lockId() {
            return find("lockId", JsonObject::asText);
        }

        /** The device. */
        public String owner() {
            return get("owner", JsonObject::asText);
        }

        /** Number of the waiter; absent when none was entered. */
        public Long waiterId() {
            return find("waiterId", JsonObject::asLong);
        }

        /** When the device acquired the lease. */
        public String acquiredAt() {
            return get("acquiredAt", JsonObject::asText);
        }

        /** Never reached while money is open. */
        public String expiresAt() {
            return get("expiresAt", JsonObject::asText);
        }

        /**
         * {@code Held} by the device; {@code Lost} when the lock at the EPOS was lost; {@code Released} ended;
         * {@code Forced} ended by an operator. One of {@code Held}, {@code Lost}, {@code Released}, {@code
         * Forced}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Neither recorded, nor given back, nor ended. */
        public long openPayments() {
            return get("openPayments", JsonObject::asLong);
        }
    }

    public static final class TableOperatorCall extends JsonObject {
        private TableOperatorCall(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TableOperatorCall of(Object value) {
            return new TableOperatorCall(asMembers(value));
        }

        /** UUID of the entry. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Whose key it was; {@code service} for alarms that the service answered itself. */
        public String keyId() {
            return get("keyId", JsonObject::asText);
        }

        /**
         * What the operator ordered. One of {@code MarkRecorded}, {@code GiveBack}, {@code RetryNow}, {@code
         * MarkNotHeld}, {@code ReleaseLease}, {@code MarkRefunded}, {@code MarkNotRefunded}, {@code
         * ResetMachine}, {@code MoveJourney}, {@code ReplayEposEvents}, {@code StartReconciliation}, {@code
         * AnswerDifference}, {@code AnswerAlarm}, {@code SettleAsListed}, {@code MarkNotTaken}.
         */
        public String action() {
            return get("action", JsonObject::asText);
        }

        /**
         * The id of the payment, terminal session, lease, journey or difference; of a replay and of a
         * reconciliation the span.
         */
        public String subject() {
            return get("subject", JsonObject::asText);
        }

        /** The reason that the operator gave. */
        public String note() {
            return get("note", JsonObject::asText);
        }

        /** Whether the operator confirmed that money was open. */
        public boolean confirmed() {
            return get("confirmed", JsonObject::asBoolean);
        }

        /** {@code Done}, or {@code Refused} without an effect. One of {@code Done}, {@code Refused}. */
        public String outcome() {
            return get("outcome", JsonObject::asText);
        }

        /** Why it was refused. */
        public String refusal() {
            return find("refusal", JsonObject::asText);
        }

        /** State of the subject before the decision; absent when it has none. */
        public String stateBefore() {
            return find("stateBefore", JsonObject::asText);
        }

        /** State of the subject after the decision; absent when it has none. */
        public String stateAfter() {
            return find("stateAfter", JsonObject::asText);
        }

        /** When the operator decided. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }

    public static final class TableOperatorCallPage extends JsonObject {
        private TableOperatorCallPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TableOperatorCallPage of(Object value) {
            return new TableOperatorCallPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<TableOperatorCall> data() {
            return get("data", JsonObject.asList(TableOperatorCall::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class TaxLine extends JsonObject {
        private TaxLine(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TaxLine of(Object value) {
            return new TaxLine(asMembers(value));
        }

        /** The integrator’s or EPOS’s id of the tax line. */
        public String id() {
            return find("id", JsonObject::asText);
        }

        /** Name of the tax on the payment page and the receipt, such as “VAT”. */
        public String caption() {
            return find("caption", JsonObject::asText);
        }

        /** Second line of the text, such as the rate. */
        public String subCaption() {
            return find("subCaption", JsonObject::asText);
        }

        /** Price look-up number of the item that is taxed; absent for a tax on the whole bill. */
        public String affectedPlu() {
            return find("affectedPlu", JsonObject::asText);
        }

        /** The amount of the tax. */
        public Money amountTotal() {
            return get("amountTotal", Money::of);
        }
    }

    public static final class Terminal extends JsonObject {
        private Terminal(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Terminal of(Object value) {
            return new Terminal(asMembers(value));
        }

        /** Id of the card machine ({@code tm_…}); sessions name it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Facts about the machine. */
        public TerminalProperties properties() {
            return get("properties", TerminalProperties::of);
        }

        /**
         * InUse: a session runs. Offline: no message for 60 seconds. Available: neither. One of {@code
         * Available}, {@code Offline}, {@code InUse}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** Since when it has the status. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }
    }

    /** Facts about the machine. */
    public static final class TerminalProperties extends JsonObject {
        private TerminalProperties(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalProperties of(Object value) {
            return new TerminalProperties(asMembers(value));
        }

        /** Terminal id at the acquirer, 8 digits; printed on receipts. */
        public String tid() {
            return get("tid", JsonObject::asText);
        }
    }

    public static final class TerminalSession extends JsonObject {
        private TerminalSession(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSession of(Object value) {
            return new TerminalSession(asMembers(value));
        }

        /** Id of the session: {@code ts_sandbox_…} in the sandbox, {@code ts_prod_…} in production. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Id of the card machine ({@code tm_…}). */
        public String terminalId() {
            return get("terminalId", JsonObject::asText);
        }

        /**
         * Where the session is. Final are {@code Authorized}, {@code Captured}, {@code Canceled}, {@code
         * Expired}, {@code Declined} and {@code SignatureVerificationRejected}. One of {@code
         * InitiateRequested}, {@code Initiated}, {@code CancelRequested}, {@code SignatureVerificationRequired},
         * {@code SignatureVerificationAccepted}, {@code SignatureVerificationRejected}, {@code Authorized},
         * {@code Captured}, {@code Canceled}, {@code Declined}, {@code Expired}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /**
         * Equal to {@code details.sessionType}. One of {@code Sale}, {@code MatchedRefund}, {@code
         * UnlinkedRefund}.
         */
        public String sessionType() {
            return get("sessionType", JsonObject::asText);
        }

        /**
         * Id of the payment intent ({@code pi_…}) that is paid or refunded; absent for an {@code
         * UnlinkedRefund}.
         */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        /** When the session was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the last status came. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** When the current step must have ended: 10 s to confirm, 90 s to pay, 80 s to check a signature. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }

        /** What the machine displayed, oldest first. */
        public List<NotificationEvent> notificationEvents() {
            return get("notificationEvents", JsonObject.asList(NotificationEvent::of));
        }

        /** All statuses of the session, oldest first. */
        public List<StatusEvent> statusEvents() {
            return get("statusEvents", JsonObject.asList(StatusEvent::of));
        }

        /** What the session was created for. */
        public SessionDetails details() {
            return get("details", SessionDetails::of);
        }

        /** The card; absent until the machine reports it. */
        public TerminalSessionPaymentDetails paymentDetails() {
            return find("paymentDetails", TerminalSessionPaymentDetails::of);
        }

        /** The copy for the cardholder; absent until the session ends. */
        public Receipt customerReceipt() {
            return find("customerReceipt", Receipt::of);
        }

        /** The copy for the merchant, with a line to sign where that is needed; absent until there is one. */
        public Receipt merchantReceipt() {
            return find("merchantReceipt", Receipt::of);
        }

        /** The customer copy. */
        public Receipt receipt() {
            return find("receipt", Receipt::of);
        }
    }

    public static final class TerminalSessionEvent extends JsonObject {
        private TerminalSessionEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSessionEvent of(Object value) {
            return new TerminalSessionEvent(asMembers(value));
        }

        /** Id of the event ({@code evt_…}), the same in every attempt; receivers detect repeats by it. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Account in which it happened ({@code acc_…}). */
        public String accountId() {
            return get("accountId", JsonObject::asText);
        }

        /** When it happened. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /**
         * The kind of event. One of {@code terminal_session.created}, {@code terminal_session.status_updated},
         * {@code terminal_session.signature_verification_required}, {@code terminal_session.notification}.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        /** The session at the time of the event. */
        public TerminalSessionEventData data() {
            return get("data", TerminalSessionEventData::of);
        }
    }

    /** The session at the time of the event. */
    public static final class TerminalSessionEventData extends JsonObject {
        private TerminalSessionEventData(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSessionEventData of(Object value) {
            return new TerminalSessionEventData(asMembers(value));
        }

        /** Id of the session ({@code ts_…}). Events of one session arrive in their order. */
        public String terminalSessionId() {
            return get("terminalSessionId", JsonObject::asText);
        }

        /**
         * The status that was reached; for {@code terminal_session.notification} what the machine displays. One
         * of {@code InitiateRequested}, {@code Initiated}, {@code CancelRequested}, {@code
         * SignatureVerificationRequired}, {@code SignatureVerificationAccepted}, {@code
         * SignatureVerificationRejected}, {@code Authorized}, {@code Captured}, {@code Canceled}, {@code
         * Declined}, {@code Expired}, {@code Approved}, {@code InsertCard}, {@code EnterPin}, {@code
         * PleaseWait}, {@code PresentCard}, {@code PresentOnlyOneCard}, {@code RemoveCard}, {@code
         * CardUnsupported}, {@code CardError}, {@code ReEnterCard}.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Id of the card machine ({@code tm_…}). */
        public String terminalId() {
            return get("terminalId", JsonObject::asText);
        }

        /** When the session was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the session reached its last status. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }

        /** When the current step of the session must have ended. */
        public String expireAt() {
            return get("expireAt", JsonObject::asText);
        }

        /**
         * {@code Sale} takes a payment, {@code MatchedRefund} refunds one, {@code UnlinkedRefund} refunds
         * without one. One of {@code Sale}, {@code MatchedRefund}, {@code UnlinkedRefund}.
         */
        public String sessionType() {
            return get("sessionType", JsonObject::asText);
        }

        /** Id of the payment intent ({@code pi_…}); absent for an {@code UnlinkedRefund}. */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        /** The card; absent until the machine reports it. */
        public TerminalSessionEventDataPaymentDetails paymentDetails() {
            return find("paymentDetails", TerminalSessionEventDataPaymentDetails::of);
        }
    }

    /** The card; absent until the machine reports it. */
    public static final class TerminalSessionEventDataPaymentDetails extends JsonObject {
        private TerminalSessionEventDataPaymentDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSessionEventDataPaymentDetails of(Object value) {
            return new TerminalSessionEventDataPaymentDetails(asMembers(value));
        }

        /** Scheme of the card in capitals. */
        public String cardScheme() {
            return find("cardScheme", JsonObject::asText);
        }

        /** Twelve asterisks and the last four digits of the card. */
        public String maskedPan() {
            return find("maskedPan", JsonObject::asText);
        }

        /** Code of the approval; absent without one. */
        public String authCode() {
            return find("authCode", JsonObject::asText);
        }
    }

    /** The card; absent until the machine reports it. */
    public static final class TerminalSessionPaymentDetails extends JsonObject {
        private TerminalSessionPaymentDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSessionPaymentDetails of(Object value) {
            return new TerminalSessionPaymentDetails(asMembers(value));
        }

        /** Scheme of the card in capitals. */
        public String cardScheme() {
            return get("cardScheme", JsonObject::asText);
        }

        /** Twelve asterisks and the last four digits of the card. */
        public String maskedPan() {
            return get("maskedPan", JsonObject::asText);
        }

        /** Code of the approval; absent without one. */
        public String authCode() {
            return find("authCode", JsonObject::asText);
        }
    }

    public static final class TerminalSessionSummary extends JsonObject {
        private TerminalSessionSummary(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSessionSummary of(Object value) {
            return new TerminalSessionSummary(asMembers(value));
        }

        /** Id of the session ({@code ts_…}). */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /**
         * Where the session is, as the operation that reads one explains. One of {@code InitiateRequested},
         * {@code Initiated}, {@code CancelRequested}, {@code SignatureVerificationRequired}, {@code
         * SignatureVerificationAccepted}, {@code SignatureVerificationRejected}, {@code Authorized}, {@code
         * Captured}, {@code Canceled}, {@code Declined}, {@code Expired}.
         */
        public String status() {
            return get("status", JsonObject::asText);
        }

        /** What the session was created for. One of {@code Sale}, {@code MatchedRefund}, {@code UnlinkedRefund}. */
        public String sessionType() {
            return get("sessionType", JsonObject::asText);
        }

        /**
         * Id of the payment intent ({@code pi_…}) that is paid or refunded; absent for an {@code
         * UnlinkedRefund}.
         */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        /** What is paid or returned, with tip, cashback and service charge. */
        public Money amount() {
            return get("amount", Money::of);
        }

        /** When the session was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** When the last status came. */
        public String updatedAt() {
            return get("updatedAt", JsonObject::asText);
        }
    }

    public static final class TerminalSessionSummaryPage extends JsonObject {
        private TerminalSessionSummaryPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TerminalSessionSummaryPage of(Object value) {
            return new TerminalSessionSummaryPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<TerminalSessionSummary> data() {
            return get("data", JsonObject.asList(TerminalSessionSummary::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    public static final class TestEvent extends JsonObject {
        public TestEvent() {
            super(new LinkedHashMap<>());
        }

        private TestEvent(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TestEvent of(Object value) {
            return new TestEvent(asMembers(value));
        }

        /**
         * The kind of event to send; the subscription must have it. One of {@code payment_intent.created},
         * {@code payment_intent.status_updated}, {@code payment_intent.send-receipt}, {@code
         * terminal_session.created}, {@code terminal_session.status_updated}, {@code
         * terminal_session.signature_verification_required}, {@code terminal_session.notification}, {@code
         * payment_intent.amount_captured}, {@code payment_intent.amount_refunded}, {@code
         * payment_intent.charge_failed}, {@code reservation.updated}, {@code party.updated}.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        public TestEvent event(String value) {
            put("event", value);
            return this;
        }
    }

    public static final class Transaction extends JsonObject {
        private Transaction(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static Transaction of(Object value) {
            return new Transaction(asMembers(value));
        }

        /** Of a payment the {@code transactionId} of its details. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Decimal digits, for reports that need a number. */
        public String legacyId() {
            return get("legacyId", JsonObject::asText);
        }

        /** Id of the payment intent ({@code pi_…}); absent for an unlinked refund. */
        public String paymentIntentId() {
            return find("paymentIntentId", JsonObject::asText);
        }

        /** Number of the merchant at the acquirer; absent when it was not known. */
        public String merchantId() {
            return find("merchantId", JsonObject::asText);
        }

        /** Reference of the payment intent; absent for an unlinked refund. */
        public String reference() {
            return find("reference", JsonObject::asText);
        }

        /** When the acquirer decided. */
        public String dateTime() {
            return get("dateTime", JsonObject::asText);
        }

        /**
         * PreAuth: a hold. Collection: a capture of one. One of {@code Sale}, {@code Refund}, {@code PreAuth},
         * {@code Collection}.
         */
        public String type() {
            return find("type", JsonObject::asText);
        }

        /**
         * A hold is AwaitingCollection until it is fully captured (Authorized), released in part (Released),
         * over with nothing captured (Expired) or undone (Reversed). One of {@code Authorized}, {@code
         * Declined}, {@code Held}, {@code UnderReview}, {@code Reversed}, {@code AwaitingCollection}, {@code
         * Released}, {@code Expired}.
         */
        public String status() {
            return find("status", JsonObject::asText);
        }

        /** Without tip and cashback. */
        public Money amount() {
            return get("amount", Money::of);
        }

        /** Cash that was handed to the payer; 0 without any. */
        public Money cashbackAmount() {
            return get("cashbackAmount", Money::of);
        }

        /** The tip within the transaction; 0 without one. */
        public Money tipsAmount() {
            return get("tipsAmount", Money::of);
        }

        /**
         * The day on which the acquirer settled the capture or refund, by its calendar; absent until a
         * settlement file names it.
         */
        public String settledOn() {
            return find("settledOn", JsonObject::asText);
        }

        /** How the money was taken. */
        public TransactionPaymentDetails paymentDetails() {
            return get("paymentDetails", TransactionPaymentDetails::of);
        }
    }

    public static final class TransactionPage extends JsonObject {
        private TransactionPage(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TransactionPage of(Object value) {
            return new TransactionPage(asMembers(value));
        }

        /** The elements of this page, newest first; empty when nothing matches. */
        public List<Transaction> data() {
            return get("data", JsonObject.asList(Transaction::of));
        }

        /**
         * Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
         * page.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        /** Cursor of the older page; null when there is none. */
        public String after() {
            return find("after", JsonObject::asText);
        }
    }

    /** How the money was taken. */
    public static final class TransactionPaymentDetails extends JsonObject {
        private TransactionPaymentDetails(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TransactionPaymentDetails of(Object value) {
            return new TransactionPaymentDetails(asMembers(value));
        }

        /** The card, masked; absent when there was none. */
        public TransactionPaymentDetailsCard card() {
            return find("card", TransactionPaymentDetailsCard::of);
        }

        /** Code with which the issuer approved; absent when it did not. */
        public String authCode() {
            return find("authCode", JsonObject::asText);
        }

        /** True unless taken on a card machine. */
        public boolean isRemote() {
            return get("isRemote", JsonObject::asBoolean);
        }

        /**
         * How the payment was started; absent when it is not known. One of {@code TapToPayOnIPhone}, {@code
         * ServicePocket}, {@code Terminal}, {@code OnlineCheckout}, {@code VirtualTerminal}, {@code
         * PaymentLinks}, {@code ServiceBookings}, {@code PayByQr}, {@code Other}.
         */
        public String paymentProduct() {
            return find("paymentProduct", JsonObject::asText);
        }

        /**
         * How the card machine read the card; absent for remote payments. One of {@code Chip}, {@code
         * ContactLess}, {@code Swipe}, {@code Keyed}, {@code Unknown}.
         */
        public String terminalEntryModeType() {
            return find("terminalEntryModeType", JsonObject::asText);
        }

        /** Id of the card machine ({@code tm_…}); absent for remote payments. */
        public String terminalId() {
            return find("terminalId", JsonObject::asText);
        }
    }

    /** The card, masked; absent when there was none. */
    public static final class TransactionPaymentDetailsCard extends JsonObject {
        private TransactionPaymentDetailsCard(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TransactionPaymentDetailsCard of(Object value) {
            return new TransactionPaymentDetailsCard(asMembers(value));
        }

        /** Asterisks and the last four digits. */
        public String number() {
            return get("number", JsonObject::asText);
        }

        /**
         * How the card is funded; absent when it is not known or is neither of the two. One of {@code Credit},
         * {@code Debit}.
         */
        public String fundingType() {
            return find("fundingType", JsonObject::asText);
        }

        /**
         * Absent if the scheme is not known. One of {@code Visa}, {@code Mastercard}, {@code Maestro}, {@code
         * Discover}, {@code Dci}, {@code Amex}.
         */
        public String type() {
            return find("type", JsonObject::asText);
        }
    }

    public static final class TransactionSearch extends JsonObject {
        public TransactionSearch() {
            super(new LinkedHashMap<>());
        }

        private TransactionSearch(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TransactionSearch of(Object value) {
            return new TransactionSearch(asMembers(value));
        }

        /** Inclusive; null = seven days before the end. The span is at most seven days. */
        public String startDate() {
            return find("startDate", JsonObject::asText);
        }

        public TransactionSearch startDate(String value) {
            put("startDate", value);
            return this;
        }

        /** Exclusive; null = now. */
        public String endDate() {
            return find("endDate", JsonObject::asText);
        }

        public TransactionSearch endDate(String value) {
            put("endDate", value);
            return this;
        }

        /** All when not sent. */
        public List<String> statuses() {
            return find("statuses", JsonObject.asList(JsonObject::asText));
        }

        public TransactionSearch statuses(List<String> value) {
            put("statuses", value);
            return this;
        }

        /** Which page. */
        public TransactionSearchCursor cursor() {
            return find("cursor", TransactionSearchCursor::of);
        }

        public TransactionSearch cursor(TransactionSearchCursor value) {
            put("cursor", value);
            return this;
        }
    }

    /** Which page. */
    public static final class TransactionSearchCursor extends JsonObject {
        public TransactionSearchCursor() {
            super(new LinkedHashMap<>());
        }

        private TransactionSearchCursor(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static TransactionSearchCursor of(Object value) {
            return new TransactionSearchCursor(asMembers(value));
        }

        /** How many elements the page has at most. */
        public Long limit() {
            return find("limit", JsonObject::asLong);
        }

        public TransactionSearchCursor limit(Long value) {
            put("limit", value);
            return this;
        }

        /**
         * The cursor {@code before} of an earlier page: returns the newer elements. Cannot be sent together with
         * {@code after}.
         */
        public String before() {
            return find("before", JsonObject::asText);
        }

        public TransactionSearchCursor before(String value) {
            put("before", value);
            return this;
        }

        /**
         * The cursor {@code after} of an earlier page: returns the older elements. Cannot be sent together with
         * {@code before}.
         */
        public String after() {
            return find("after", JsonObject::asText);
        }

        public TransactionSearchCursor after(String value) {
            put("after", value);
            return this;
        }
    }

    public static final class UncomparedDay extends JsonObject {
        private UncomparedDay(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static UncomparedDay of(Object value) {
            return new UncomparedDay(asMembers(value));
        }

        /** The name of the acquirer. */
        public String acquirer() {
            return get("acquirer", JsonObject::asText);
        }

        /** The day of our calls to it, by the calendar of the account’s first location. */
        public String day() {
            return get("day", JsonObject::asText);
        }

        /**
         * {@code WaitingForSettlement}: not all of its settlement files have arrived. {@code BooksUnread}: its
         * books could not be read. One of {@code WaitingForSettlement}, {@code BooksUnread}.
         */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /** Why the books could not be read. */
        public String problem() {
            return find("problem", JsonObject::asText);
        }

        /** When the comparison was incomplete for the first time. */
        public String since() {
            return get("since", JsonObject::asText);
        }
    }

    /** Deliveries are signed with the active one. */
    public static final class WebhookSecret extends JsonObject {
        private WebhookSecret(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static WebhookSecret of(Object value) {
            return new WebhookSecret(asMembers(value));
        }

        /** Id of the secret ({@code sc_…}), not the secret itself. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** The signing secret. Its UTF-8 bytes are the key of both signatures. */
        public String value() {
            return get("value", JsonObject::asText);
        }

        /**
         * The same secret as libraries of standard-webhooks read it: {@code whsec_} and its UTF-8 bytes in
         * base64. Absent where the value is hidden.
         */
        public String standardValue() {
            return find("standardValue", JsonObject::asText);
        }

        /** When the secret was created. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }

        /** Whether attempts are signed with it. Exactly one secret of a subscription is active. */
        public boolean isActive() {
            return get("isActive", JsonObject::asBoolean);
        }

        /** When an attempt was signed with it last; absent before the first. */
        public String lastUsedAt() {
            return find("lastUsedAt", JsonObject::asText);
        }
    }

    public static final class WebhookSecrets extends JsonObject {
        private WebhookSecrets(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static WebhookSecrets of(Object value) {
            return new WebhookSecrets(asMembers(value));
        }

        /** The subscription. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        /** All signing secrets, the active one included. */
        public List<WebhookSecret> secrets() {
            return get("secrets", JsonObject.asList(WebhookSecret::of));
        }
    }

    /** The capabilities of the EPOS on the socket that it opens. */
    public static final class WsIntegration extends JsonObject {
        private WsIntegration(Map<String, Object> members) {
            super(members);
        }

        /** Reads it from an object of JSON. */
        public static WsIntegration of(Object value) {
            return new WsIntegration(asMembers(value));
        }

        /** What the EPOS can do. Nothing else is called. */
        public List<EposCapability> capabilities() {
            return get("capabilities", JsonObject.asList(EposCapability::of));
        }

        /** When it was registered. */
        public String createdAt() {
            return get("createdAt", JsonObject::asText);
        }
    }
}
