// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -0.677769418 -0.0367103354 -1.27355566 -1.85493081 -2.39638448 -0.554879787 -2.09180623 -1.53342331 -1.82519052 -1.81966606 -1.13912408 -1.11187232 -1.58196768 -1.49934408 -0.581864097 -0.698603196
// out: sums -1.33464541 -0.14523931 0.406182219 0.15443196 0.633483266 -0.789665986 0.0465222789 0.92066076 0.108035042 -0.198618181 -0.906725571 0.336620375 -0.290180975 1.08637851 0.77039085 -0.372778572
// out: sums 60.2408482 58.4903638 84.4435794 66.6676115 56.9904055 51.1221665 60.2130581 55.6155039 55.6940422 59.4323927 51.2048684 57.2845953 69.7525429 62.4691063 45.4184811 62.5622189
// cost: 225 instructions, 4442669 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>) -> (tensor<2x20x16xf32>, tensor<2x20x16xf32>, tensor<2x20x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %6 = stablehlo.compare EQ, %2, %5, FLOAT : (tensor<2x20x20xf32>, tensor<2x20x20xf32>) -> tensor<2x20x20xi1>
    %7 = stablehlo.convert %6 : (tensor<2x20x20xi1>) -> tensor<2x20x20xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %10 = stablehlo.maximum %9, %3 : tensor<2x20xf32>
    %11 = stablehlo.compare EQ, %3, %10, FLOAT : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %14 = stablehlo.select %11, %12, %13 : tensor<2x20xi1>, tensor<2x20xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %16 = stablehlo.compare EQ, %15, %10, FLOAT : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %19 = stablehlo.select %16, %17, %18 : tensor<2x20xi1>, tensor<2x20xf32>
    %20 = stablehlo.divide %14, %19 : tensor<2x20xf32>
    %21 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %23 = stablehlo.subtract %2, %22 : tensor<2x20x20xf32>
    %24 = stablehlo.exponential %23 : tensor<2x20x20xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %28 = stablehlo.divide %24, %27 : tensor<2x20x20xf32>
    %29 = stablehlo.multiply %26, %26 : tensor<2x20x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x20x1xf32>
    %31 = stablehlo.divide %30, %29 : tensor<2x20x1xf32>
    %32 = stablehlo.dot_general %28, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    %33 = stablehlo.sine %32 : tensor<2x20x16xf32>
    %34 = stablehlo.cosine %32 : tensor<2x20x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%33 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x20x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x20x16xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<2x20x16xf32>
    %38 = stablehlo.dot_general %37, %28, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x20xf32>) -> tensor<2x16x20xf32>
    %39 = stablehlo.transpose %38, dims = [0, 2, 1] : (tensor<2x16x20xf32>) -> tensor<2x20x16xf32>
    %40 = stablehlo.dot_general %37, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %41 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %42 = stablehlo.multiply %40, %41 : tensor<2x20x20xf32>
    %43 = stablehlo.multiply %42, %24 : tensor<2x20x20xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %45 = stablehlo.reshape %44 : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %46 = stablehlo.negate %45 : tensor<2x20x1xf32>
    %47 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %48 = stablehlo.divide %40, %47 : tensor<2x20x20xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%46 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<2x20x1xf32>, tensor<f32>) -> tensor<2x20xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x20xf32>
    %51 = stablehlo.add %48, %50 : tensor<2x20x20xf32>
    %52 = stablehlo.multiply %51, %24 : tensor<2x20x20xf32>
    %cst_14 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<2x20x20xf32>
    %55 = stablehlo.dot_general %54, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    %56 = stablehlo.dot_general %54, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    return %56, %55, %39 : tensor<2x20x16xf32>, tensor<2x20x16xf32>, tensor<2x20x16xf32>
  }
}
