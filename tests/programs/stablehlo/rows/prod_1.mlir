// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 38.4999897 2.39327591 109.400416 39.6563675 15.5615979 2.7706004 3.910076 0 7.29267035 0 7.7323349 13.6713492 0.844069983 75.5349868 2.27146945 31.2566893
// cost: 3 instructions, 630636 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x14xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [1] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x14xf32>
    return %0 : tensor<3x14xf32>
  }
}
