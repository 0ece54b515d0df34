// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 23.9516919 22.1365445 21.2507245 33.7758889 23.0690743 28.5939865 21.4229161 4.58927305 28.1389853 22.3354667 15.8447712 14.739608 24.9955111 26.2461424 22.596817 26.3291022
// cost: 3 instructions, 613892 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9x14xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [0] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9x14xf32>
    return %0 : tensor<9x14xf32>
  }
}
