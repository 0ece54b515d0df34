// tolerance: 2e-05
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 17.4865215 16.2954954 22.8652589 19.3274345 18.937647 17.428077 19.1930862 9.79201251 19.5815522 22.339654 18.3522899 14.7224507 21.9737104 31.8171261 14.7565978 21.8497258
// cost: 5 instructions, 602174 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<37x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<37x5xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<37x5xf32>
    %3 = stablehlo.power %arg0, %2 : tensor<37x5xf32>
    return %3 : tensor<37x5xf32>
  }
}
