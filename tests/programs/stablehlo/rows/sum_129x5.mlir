// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 20.4649 13.832492 16.9656025 25.4459969 28.5516324 23.5776433 23.3431933 3.94536712 20.0756857 14.60757 28.4479404 18.5858414 19.8037644 29.9902948 15.750122 25.4546636
// cost: 6 instructions, 640653 ticks
module {
  func.func public @main(%arg0: tensor<129x5xf32>) -> (tensor<129xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<129x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<129x5xf32>, tensor<f32>) -> tensor<129xf32>
    return %1 : tensor<129xf32>
  }
}
