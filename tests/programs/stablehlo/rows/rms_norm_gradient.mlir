// tolerance: 0.0005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 13.410163 6.88675476 -0.565318449 3.66081863 9.0174765 11.8458876 -0.592978347 5.82983859 -1.61701112 -0.418184326 -4.9672467 -0.928131398 -1.33971386 -10.9666562 -2.50644993 10.5412135
// out: -1.57304955 5.89697409 -2.63097239 2.30143404 0.890814543 0.38642031 -6.96436119 -3.44738984 5.33279419 -1.6795013 -4.10231781 5.07737017 -0.871686637 -3.32757902 0.936412036 5.40898466 4.04496241 -0.566715181 2.5715158 1.88142204 1.62032902 -1.53539097 0.434717059 -3.16110611 0.21179527 -5.32755661 -6.09115553 -0.875866473 -1.07128727 1.4990505 1.16105556 0.374958605 -2.73230624
// cost: 194 instructions, 4299184 ticks
module {
  func.func public @main(%arg0: tensor<20x33xf32>, %arg1: tensor<33xf32>) -> (tensor<20x33xf32>, tensor<33xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<20x33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<20x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<20x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<20x1xf32>
    %8 = stablehlo.divide %7, %6 : tensor<20x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<20x1xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %12 = stablehlo.multiply %arg0, %11 : tensor<20x33xf32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<20x33xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<20x33xf32>
    %16 = stablehlo.sine %15 : tensor<20x33xf32>
    %17 = stablehlo.cosine %15 : tensor<20x33xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20x33xf32>
    %20 = stablehlo.multiply %19, %17 : tensor<20x33xf32>
    %21 = stablehlo.multiply %12, %20 : tensor<20x33xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<20x33xf32>, tensor<f32>) -> tensor<33xf32>
    %23 = stablehlo.reshape %22 : (tensor<33xf32>) -> tensor<1x33xf32>
    %24 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<20x33xf32>
    %25 = stablehlo.multiply %20, %24 : tensor<20x33xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x33xf32>, tensor<f32>) -> tensor<33xf32>
    %27 = stablehlo.multiply %arg0, %25 : tensor<20x33xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %29 = stablehlo.reshape %28 : (tensor<20xf32>) -> tensor<20x1xf32>
    %30 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %31 = stablehlo.multiply %25, %30 : tensor<20x33xf32>
    %32 = stablehlo.multiply %29, %10 : tensor<20x1xf32>
    %cst_8 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<20x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<20x1xf32>, tensor<f32>) -> tensor<20xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<20xf32>) -> tensor<20x33xf32>
    %37 = stablehlo.multiply %arg0, %36 : tensor<20x33xf32>
    %38 = stablehlo.add %31, %37 : tensor<20x33xf32>
    %39 = stablehlo.multiply %36, %arg0 : tensor<20x33xf32>
    %40 = stablehlo.add %38, %39 : tensor<20x33xf32>
    return %40, %26 : tensor<20x33xf32>, tensor<33xf32>
  }
}
