fn main() {
    for file in std::env::args().skip(1) {
        let image = lichen_image::Image::load(std::path::Path::new(&file)).expect("image");
        let begin = std::time::Instant::now();
        match lichen_stack::main_stack(&image) {
            Ok(need) => {
                println!("{file}: {} of use, {} panic, {} size {:?}", need.bytes, need.panic, need.size(), begin.elapsed());
                for part in &need.parts {
                    println!("   {} {}", part.what, part.bytes);
                    for step in &part.steps { println!("       {} {}", step.function, step.bytes); }
                }
            }
            Err(unknown) => println!("{file}: {unknown} {:?} {:?}", unknown.place, begin.elapsed()),
        }
    }
}
