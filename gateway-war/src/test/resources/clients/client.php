<?php
// The calls of ShowcaseClient, by PHP's own SoapClient: SOAP 1.1, and 1.2 for references.
$options = ["cache_wsdl" => WSDL_CACHE_NONE, "features" => SOAP_SINGLE_ELEMENT_ARRAYS];
$showcase = new SoapClient($argv[1] . "?wsdl", $options);

function say(string $name, ...$values): void
{
    echo $name, "=", implode(" ", array_map("word", $values)), "\n";
}

function word($value): string
{
    return is_bool($value) ? ($value ? "true" : "false") : (string) ($value ?? "null");
}

function utc(string $moment): string
{
    return (new DateTime($moment))->setTimezone(new DateTimeZone("UTC"))->format("Y-m-d\\TH:i:s\\Z");
}

$s = $showcase->next(["scalars" => ["z" => true, "b" => -2, "s" => 2, "c" => 99, "i" => 4,
    "j" => 9007199254740990, "f" => 1.5, "d" => 2.5, "flag" => true, "boxed" => 7, "missing" => null,
    "text" => "č € & <x> 😀", "large" => 1234567890123456788, "exact" => "12.50", "planet" => "EARTH",
    "id" => "123e4567-e89b-12d3-a456-426614174000"]])->return;
say("primitives", $s->z, $s->b, $s->s, $s->c, $s->i, $s->j, $s->f, $s->d);
say("wrappers", $s->flag, $s->boxed, $s->missing ?? null);
say("scalars", $s->text, $s->large, $s->exact, $s->planet, $s->id);

[$instant, $there] = ["2026-11-21T14:20:30Z", "2026-11-21T15:20:30+01:00"];
$m = $showcase->later(["moments" => ["date" => $instant, "calendar" => $there, "stamp" => $instant,
    "day" => "2026-11-21", "instant" => $instant, "offset" => $there,
    "zoned" => $there . "[Europe/Ljubljana]", "local" => "2026-11-21T14:20:30", "localDate" => "2026-11-21",
    "time" => "14:20:30", "duration" => "PT8H6M", "month" => "2026-11"]])->return;
say("legacy dates", utc($m->date), utc($m->calendar), utc($m->stamp), $m->day);
say("instants", utc($m->instant), utc($m->offset), $m->zoned);
say("dates", $m->local, $m->localDate, $m->time, $m->duration, $m->month);
say("null", $showcase->echoString(["value" => null])->return ?? null);
say("overloads", $showcase->kind_int(["value" => 7])->return, $showcase->kind_String(["value" => "x"])->return);

$columns = $showcase->transposed(["rows" => [["item" => [1, 2]], ["item" => [3, 4]]]])->return;
say("arrays", ...array_map(fn($row) => implode(",", $row->item), $columns));
say("texts", ...$showcase->reversed(["texts" => ["a", "b", "ž"]])->return);
$positions = $showcase->positions(["words" => ["b", "a", "b"]])->return->entry;
say("maps", ...array_map(fn($entry) => $entry->key . ":" . implode(",", $entry->value), $positions));
say("sets", ...$showcase->union(["some" => ["b", "a"], "others" => ["b", "c"]])->return);
$page = $showcase->people(["first" => 3, "count" => 2])->return;
foreach ($page->items as $person) {
    say("generics", $person->firstName, implode(",", $person->phoneNumbers), $person->city);
}
say("next", $page->next);
$swapped = $showcase->swapped(["pair" => ["first" => "SATURN", "second" => "x"]])->return;
say("swapped", $swapped->first, $swapped->second);

function shipment(string $kind, array $vehicle, array $tank): array
{
    $vehicle += ["plate" => "LJ-1", "route" => ["start" => "Ljubljana", "end" => "Graz", "kilometres" => 194]];
    return ["shipment" => ["number" => "S-1", "vehicle" => [$kind => $vehicle],
        "loads" => [["Crate" => ["pieces" => 3, "each" => "12.5"]]], "marks" => ["fragile"],
        "seals" => ["entry" => [["key" => "door", "value" => 1], ["key" => "roof", "value" => 8]]],
        "price" => ["amount" => "12.50", "currency" => "EUR"]], "more" => [["Tank" => $tank]]];
}

$loaded = $showcase->loaded(shipment("Truck", ["axles" => 2], ["weight" => "800.0"]))->return;
say("bean", $loaded->number, implode(",", $loaded->marks));
$seals = array_column($loaded->seals->entry, "value", "key");
say("seals", "door:" . $seals["door"], "roof:" . $seals["roof"]);
foreach ($loaded->vehicle as $kind => $vehicle) {
    say("inherited", $kind, $vehicle->plate, $vehicle->axles);
    say("interface", $vehicle->route->start, $vehicle->route->end, $vehicle->route->kilometres);
}
foreach ($loaded->loads as $load) {
    isset($load->Crate)
        ? say("sealed", "Crate", $load->Crate->pieces, $load->Crate->each)
        : say("sealed", "Tank", $load->Tank->weight, $load->Tank->content ?? null);
}
say("immutable", $loaded->price->amount, $loaded->price->currency);

try {
    $showcase->loaded(shipment("Van", [], ["weight" => "800.0", "content" => "milk"]));
} catch (SoapFault $fault) {
    $detail = $fault->detail->TooHeavy;
    say("fault", $fault->getMessage(), $detail->limit, implode(",", $detail->remedies));
}
try {
    $showcase->failUnchecked(["message" => "secret"]);
} catch (SoapFault $fault) {
    $problem = $fault->detail->problem;
    say($problem->type, $problem->executed === "yes" ? "executed" : "not executed");
}

$reference = $showcase->newCounter(["start" => 5])->return;
$counter = new SoapClient($reference->Address . "?wsdl", $options + ["soap_version" => SOAP_1_2]);
say("used", $counter->increment()->return);
say("passed back", $showcase->incrementFor(["counter" => ["Address" => $reference->Address]])->return);
say("renewed", new DateTime($counter->renew()->expires) > new DateTime());
$counter->release();
try {
    $showcase->incrementFor(["counter" => ["Address" => $reference->Address]]);
    say("released", false);
} catch (SoapFault $fault) {
    say("released", $fault->detail->problem->type === "bad-argument");
}

say("bytes", bin2hex($showcase->inverted(["bytes" => "\x00\x01\xff"])->return));
$produced = $showcase->produce(["length" => 100000, "seed" => 1])->return;
say("download", strlen($produced), hash("sha256", $produced));
$bytes = str_repeat(implode("", array_map("chr", range(0, 255))), 50 << 12);
$receipt = $showcase->receive(["bytes" => $bytes])->return;
say("upload", $receipt->length, $receipt->sha256);
