// tolerance: 2e-05
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 22.0431064 14.9123947 22.6016599 20.4149129 19.2779057 20.2831093 20.7899201 10.7869541 17.3657759 21.00764 17.4434424 13.9247978 22.1965032 30.0529448 13.9756136 20.338763
// cost: 3 instructions, 584898 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = stablehlo.sqrt %arg0 : tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
