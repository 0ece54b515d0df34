// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -5.27761756 0.494205277 -6.90568144 -0.353930973 6.36268996 -1.06224966 0.894958831 -2.16078851 0.100400064 4.99166979 0.926683184 -4.62701438 3.33218405 -2.87711452 -6.28330383 -0.105495624
// cost: 3 instructions, 613892 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9x14xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9x14xf32>
    return %0 : tensor<9x14xf32>
  }
}
